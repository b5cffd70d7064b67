import { readFileSync, writeFileSync } from 'node:fs';
import { type Engine, type LightJudgement, openEngineInThread } from '@wajah/engine';
import { percent } from '../measure/figure.ts';
import { replaceBlock } from '../measure/report.ts';
import { exactInterval } from '../metrics/bounds.ts';
import { machine, readOptions } from '../run/command.ts';
import { withProgress } from '../run/progress.ts';
import type { Presentation } from './presentations.ts';
import { simulateChallenge } from './session.ts';
import { type FrontalWindow, frontalWindows } from './windows.ts';

const { folder, cache, split, page } = readOptions();

/** Light of a phone's white screen at 35 cm, lux: 300 cd/m² from 95 cm². */
const PHONE_LUX = 23;
/** Presentations and the strengths of the screen's light, over the ambient light, that they are measured at. */
const RUNS: readonly (readonly [Presentation, readonly number[]])[] = [
  ['person', [0.02, 0.05, 0.1, 0.2, 0.5]],
  ['recording', [0.2]],
  ['wrong sequence', [0.2]],
  ['tinted by a program', [0.2]],
  ['print', [0.5]],
  ['cut-out print', [0.5]],
  ['bent print', [0.2, 0.5]],
  ['pane of glass', [0.5]],
];

interface Row {
  readonly presentation: Presentation;
  readonly strength: number;
  readonly judgements: readonly LightJudgement[];
}

async function measured(engine: Engine, windows: readonly FrontalWindow[]): Promise<Row[]> {
  const rows: Row[] = [];
  const cells = RUNS.flatMap(([presentation, strengths]) =>
    strengths.map((strength) => ({ presentation, strength })),
  );
  await withProgress('light', cells.length * windows.length, async (step) => {
    for (const { presentation, strength } of cells) {
      const judgements: LightJudgement[] = [];
      for (const window of windows) {
        const seed = `${presentation} ${strength} ${window.name}`;
        judgements.push(await simulateChallenge(engine, window, presentation, strength, seed));
        step();
      }
      rows.push({ presentation, strength, judgements });
      if (process.stderr.isTTY !== true) console.error(lineOf(rows.at(-1)!));
    }
  });
  return rows;
}

function lineOf({ presentation, strength, judgements }: Row): string {
  const count = (verdict: LightJudgement['verdict']) =>
    judgements.filter((judgement) => judgement.verdict === verdict).length;
  const answered = count('answered');
  const { low, high } = exactInterval(answered, judgements.length);
  const found = judgements.map((judgement) => judgement.strength).sort((a, b) => a - b);
  const tints = judgements.map(({ tint }) => tint).sort((a, b) => a - b);
  const light =
    presentation === 'recording' || presentation === 'tinted by a program' ? '–' : String(strength);
  const lux = light === '–' ? '–' : String(Math.round(PHONE_LUX / strength));
  return `| ${[
    presentation,
    light,
    lux,
    `${answered} of ${judgements.length}; ${percent(low)}–${percent(high)} %`,
    count('not_answered'),
    count('cannot_tell'),
    found[found.length >> 1]!.toFixed(3),
    tints[tints.length >> 1]!.toFixed(3),
  ].join(' | ')} |`;
}

const engine = await openEngineInThread({ cacheDir: cache, image: { maxBytes: 64 << 20, maxPixels: 100e6 } });
try {
  const windows = await frontalWindows(engine, folder, split);
  const people = new Set(windows.map(({ person }) => person)).size;
  const rows = await measured(engine, windows);
  const text = [
    `Simulated on ${windows.length} windows of six frames of ${people} people (\`${split}\`); ${machine()}.`,
    '',
    '| before the camera | screen over ambient light | lux of the room, for a phone | answered; 95 % interval | not answered | cannot tell | median strength | median tint |',
    '|---|---|---|---|---|---|---|---|',
    ...rows.map(lineOf),
  ].join('\n');
  console.log(text);
  if (page !== undefined)
    writeFileSync(page, replaceBlock(readFileSync(page, 'utf8'), `light ${split}`, text));
} finally {
  await engine.close();
}
