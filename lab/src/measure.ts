// `npm run measure` measures again what docs/accuracy.md and docs/liveness.md show, where the code that it depends on changed.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { comparisonSimilarityOf, findPadNetworks, openEngineInThread, type PackChoice } from '@wajah/engine';
import type { EvaluationTask } from '@wajah/tools';
import { evaluate, pairsNote, resultName } from './commands.ts';
import { DEFAULT_FOLDER, EvalFolder } from './data/eval-folder.ts';
import { peopleIn } from './data/people-folder.ts';
import { strangersIn, youngMenOfIndia } from './data/strangers.ts';
import { codeDigests, RESULTS } from './measure/code-digest.ts';
import { type Measured, type Result, resultOf, writeResult } from './measure/report.ts';
import { differences, sampleTable } from './measure/sample.ts';
import { comparisonSections, poorSections } from './people/claims.ts';
import { enrolmentSections } from './people/enrolment.ts';
import { packSamples, packSections } from './people/packs.ts';
import { computeTemplates } from './people/templates.ts';
import { withPackOf } from './run/command.ts';
import { measureSessions } from './sessions/measure-sessions.ts';
import { passingTable, type SessionColumn } from './sessions/summary.ts';

const { values: options, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string', default: DEFAULT_FOLDER },
    packs: { type: 'string', default: 'data/packs' },
    frames: { type: 'string' },
    lfw: { type: 'string' },
    carry: { type: 'boolean', default: false },
  },
});
const { data, packs: packsDir } = options;
const FOLDER = 'lab/results';
const SAMPLE = 'sample';
const IMAGES = { image: { maxBytes: 64 << 20, maxPixels: 100e6 } };
const builtin: PackChoice = { id: 'builtin', packsDir, acceptNonCommercial: false };
const plus = { ...builtin, id: 'plus' };
const unknown = named.filter((name) => !(name in RESULTS));
if (unknown.length > 0)
  throw new Error(`${unknown.join(', ')}: no results; known are ${Object.keys(RESULTS).join(', ')}`);
if (!(await findPadNetworks(packsDir, false))) {
  throw new Error(`Install the packs pad and plus in ${packsDir}, or name their folder with --packs.`);
}

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();
const changed = git('status', '--porcelain', '--', 'packages', 'lab/src');
if (changed)
  throw new Error(`A result names the commit that was measured: commit these files first.\n${changed}`);
const commit = git('rev-parse', '--short=12', 'HEAD');
/** Of the code that runs: it may be compiled anew while it measures. */
const digests = Object.fromEntries(Object.keys(RESULTS).map((name) => [name, codeDigests(name)]));

async function kept(name: string): Promise<Result | null> {
  return JSON.parse(await readFile(join(FOLDER, `${name}.json`), 'utf8').catch(() => 'null'));
}

function write(name: string, result: Result): void {
  writeResult(FOLDER, name, { ...result, measured: { commit, ...digests[name]! } });
  console.log(`wrote ${name}`);
}

async function isStale(name: string): Promise<boolean> {
  const measured = (await kept(name))?.measured;
  const { engine, measuring } = digests[name]!;
  return measured?.engine !== engine || measured.measuring !== measuring;
}

/** Runs `wajah evaluate`. */
function task(name: EvaluationTask, split: 'dev' | 'test' = 'test', pack = builtin, folder = data) {
  const plots = name === 'verification' ? join(FOLDER, 'plots') : undefined;
  const run = async () => {
    const report = await evaluate({ task: name, data: folder, split, pack, plots, out: undefined });
    write(resultName(name, split, pack), resultOf(report));
  };
  return { names: [resultName(name, split, pack)], run };
}

/** Verification and identification with one reference on colour pictures of both splits: too few pictures to be split. */
async function enrolment(): Promise<void> {
  await withPackOf(builtin, async (pack) => {
    const pictures = (['dev', 'test'] as const).flatMap((split) => peopleIn(data, split));
    const samples = await computeTemplates(
      pack,
      pictures.filter(({ subset }) => subset !== 'lfw'),
    );
    const operation = { threshold: pack.manifest.threshold, curve: pack.curve };
    const { pack: id, version } = pack.embeddingSpec;
    write('enrolment', resultOf(of(`${id} ${version}`, enrolmentSections(samples, operation))));
  });
}

/** Compares the built-in pack with `plus` on the same pictures. */
async function packs(): Promise<void> {
  const people = peopleIn(data, 'test');
  const all = [];
  for (const choice of [builtin, plus]) {
    all.push(await withPackOf(choice, (pack) => packSamples(pack, people)));
  }
  write('packs-test', resultOf(of(all.map(({ name }) => name).join(', '), packSections(all))));
}

/** Claims of two pictures, also of poor ones. Of young men of India there are pictures of `dev` alone. */
function claims(choice: PackChoice) {
  const name = `${choice === plus ? 'plus-' : ''}claims-test`;
  const run = async () => {
    const folder = new EvalFolder(data);
    const strangers = strangersIn(folder, 'test');
    const compared = await withPackOf(choice, async (pack) =>
      comparisonSections(
        await computeTemplates(pack, peopleIn(data, 'test')),
        await computeTemplates(pack, [...strangers, ...youngMenOfIndia(folder)]),
        (a, b) => comparisonSimilarityOf(pack.curve!, a, b),
      ),
    );
    const engine = await openEngineInThread({ ...IMAGES, pack: choice });
    const sections = [...compared, ...(await poorSections(engine, strangers))];
    const { pack, version } = engine.embeddingSpec;
    await engine.close();
    const notes = [
      pairsNote,
      'The young men of India are of `dev`: ten people. No curve was fitted to them or to any other people here.',
    ];
    write(name, resultOf({ ...of(`${pack} ${version}`, sections), notes }));
  };
  return { names: [name], run };
}

const of = (pack: string, sections: Measured['sections']): Measured => ({
  pack,
  sections,
  notes: [],
  plots: [],
});

/** Generated sessions of each attack species: on `test` so many that there are 200 of animated stills. */
const LIMITS = { test: 18, dev: 8 } as const;

/** Sessions of both splits, with the pack and without it, on the same frames and their analyses. */
async function sessions(): Promise<void> {
  const frames = options.frames ?? (await mkdtemp(join(tmpdir(), 'wajah-frames-')));
  const columns: SessionColumn[] = [];
  for (const split of ['test', 'dev'] as const) {
    for (const pack of [builtin, { ...builtin, withoutPadNetworks: true }]) {
      const request = { data, split, pack, limit: LIMITS[split], frames: join(frames, split) };
      const { groups, ...measured } = await measureSessions(request);
      columns.push({ title: `${split}, ${pack === builtin ? 'with the pack' : 'without it'}`, groups });
      write(resultName('sessions', split, pack), resultOf({ ...measured, plots: [] }));
    }
  }
  const notes = ['Attacks first, the one that passes most at the top; then honest sessions.'];
  write('sessions', { pack: 'builtin with pad and without it', tables: [passingTable(columns)], notes });
  if (options.frames === undefined) await rm(frames, { recursive: true, force: true });
}

const MEASUREMENTS: readonly { readonly names: readonly string[]; run(): Promise<void> }[] = [
  task('verification'),
  { names: ['packs-test'], run: packs },
  task('cohort'),
  task('identification'),
  { names: ['enrolment'], run: enrolment },
  task('cohort', 'test', plus),
  claims(builtin),
  claims(plus),
  task('idcard'),
  task('detection'),
  task('mask'),
  task('eyes'),
  task('mouth'),
  task('pose'),
  task('pad'),
  task('pad', 'dev'),
  { names: Object.keys(RESULTS).filter((name) => name.startsWith('sessions')), run: sessions },
  ...(options.lfw
    ? [task('pairs', 'test', builtin, options.lfw), task('pairs', 'test', plus, options.lfw)]
    : []),
];

/**
 * Results of which only the engine's code changed are carried over, where it computes the same for the sample.
 * @throws Error that names the pictures with other numbers
 */
async function carry(sample: Result): Promise<void> {
  const before = await kept(SAMPLE);
  const differ = before ? differences(before.tables[0]!, sample.tables[0]!) : [];
  if (!before || differ.length > 0) throw new Error(`Other numbers than were kept: ${differ.join(', ')}`);
  for (const name of Object.keys(RESULTS)) {
    const result = await kept(name);
    const { engine, measuring } = digests[name]!;
    if (result?.measured?.engine !== before.measured?.engine || result?.measured?.measuring !== measuring)
      continue;
    writeResult(FOLDER, name, { ...result, measured: { ...result.measured, engine } });
    console.log(`carried ${name}`);
  }
  // Its numbers stay, so that small differences do not add up.
  const { engine } = digests['mask-test']!;
  writeResult(FOLDER, SAMPLE, { ...before, measured: { ...before.measured!, engine } });
}

const opened = await openEngineInThread({ ...IMAGES, pack: plus });
const sample: Result = { pack: 'plus', tables: [await sampleTable(opened, new EvalFolder(data))], notes: [] };
await opened.close();
if (options.carry) await carry(sample);
else {
  const { engine } = digests['mask-test']!;
  writeResult(FOLDER, SAMPLE, { ...sample, measured: { commit, engine, measuring: '' } });
  for (const { names, run } of MEASUREMENTS) {
    const stale = await Promise.all(names.map(isStale));
    if (named.length > 0 ? names.some((name) => named.includes(name)) : stale.includes(true)) await run();
  }
}
