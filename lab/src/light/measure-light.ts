import { cpus } from 'node:os';
import { openEngine, type PackChoice } from '@wajah/engine';
import { EvalFolder, type Split } from '../data/eval-folder.ts';
import type { ReportSection } from '../measure/figure.ts';
import { withProgress } from '../run/progress.ts';
import type { Presentation } from './presentations.ts';
import { lightSections, type SimulatedLights } from './report.ts';
import { simulateChallenge } from './session.ts';
import { frontalWindows } from './windows.ts';

/** What is simulated, and with which models. */
export interface LightRequest {
  readonly data: string;
  readonly split: Split;
  readonly cacheDir: string;
  readonly pack: PackChoice;
}

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

/**
 * Simulates the light challenge on films in which a person faces the camera.
 * @returns the pack in use, the sections of the report and its notes
 * @throws Error when the folder has no such films of the split, or ffmpeg is missing
 */
export async function measureLight({
  data,
  split,
  cacheDir,
  pack,
}: LightRequest): Promise<{ pack: string; sections: ReportSection[]; notes: string[] }> {
  const workers = Math.min(8, cpus().length);
  const image = { maxBytes: 64 << 20, maxPixels: 100e6 };
  const engine = await openEngine({ cacheDir, pack, image, workers, queue: 1000, deadlineMs: 300_000 });
  try {
    const windows = await frontalWindows(engine, new EvalFolder(data), split);
    if (windows.length === 0) {
      throw new Error(`${data} has no film of ${split} in which a person faces the camera for 1.5 s`);
    }
    const cells = RUNS.flatMap(([presentation, strengths]) =>
      strengths.map((strength) => ({ presentation, strength })),
    );
    const simulated: SimulatedLights[] = [];
    const simulate = async (step: () => void) => {
      for (const { presentation, strength } of cells) {
        const run = async (window: (typeof windows)[number]) => {
          const seed = `${presentation} ${strength} ${window.name}`;
          const judgement = await simulateChallenge(engine, window, presentation, strength, seed);
          step();
          return { person: window.person, judgement };
        };
        simulated.push({ presentation, strength, judged: await Promise.all(windows.map(run)) });
      }
    };
    await withProgress('light', cells.length * windows.length, simulate, 'sessions');
    const people = new Set(windows.map(({ person }) => person)).size;
    return {
      pack: `${engine.embeddingSpec.pack} ${engine.embeddingSpec.version}`,
      sections: lightSections(simulated),
      notes: [
        `Simulated on ${windows.length} windows of six frames of ${people} people (\`${split}\`).`,
        'Intervals are about people, with one vote each. The strength is the light of the white screen over the ambient light, as the mean over the face; lux is that of a room in which a phone adds so much.',
      ],
    };
  } finally {
    await engine.close();
  }
}
