import type { EmbeddingSpec, PackChoice } from '@wajah/engine';
import { evaluate } from './commands.ts';
import { peopleIn } from './data/people-folder.ts';
import type { ReportSection } from './measure/figure.ts';
import { goalsTable } from './measure/goals.ts';
import { type Measured, measureInto, writeResult } from './measure/report.ts';
import { tables } from './measure/tables.ts';
import { enrolmentSections } from './people/enrolment.ts';
import { type PackSamples, packSamples, packSections } from './people/packs.ts';
import { computeTemplates } from './people/templates.ts';
import { writePackPlots } from './plots/people.ts';
import { withPackOf } from './run/command.ts';
import { type Part, readMeasureOptions } from './run/measure-options.ts';

const options = readMeasureOptions();
const { data, cache: cacheDir, split, out, plots, packs: packsDir, beside } = options;
const builtin: PackChoice = { id: 'builtin', packsDir, acceptNonCommercial: true };
const reports = new Map<Part, readonly ReportSection[]>();

/** Writes a result into its file, or to standard output without `--out`. */
async function result(name: string, measure: () => Promise<Measured>): Promise<void> {
  if (out !== undefined) await measureInto(out, name, measure);
  else print(tables((await measure()).sections));
}

function print(value: unknown): void {
  console.log(JSON.stringify(value, null, 1));
}

/** Runs `wajah evaluate` for a task once and returns its sections. */
async function sectionsOf(task: Exclude<Part, 'summary' | 'packs'>): Promise<readonly ReportSection[]> {
  const request = { task, data, split, cacheDir, pack: builtin, plots };
  const known = reports.get(task);
  if (known) return known;
  const { sections } = await evaluate({ ...request, out });
  if (out === undefined) print(tables(sections));
  reports.set(task, sections);
  return sections;
}

/** Verification and identification with one reference on colour pictures of both splits: too few pictures to be split. */
async function enrolled(): Promise<ReportSection[]> {
  return withPackOf(cacheDir, builtin, async (pack) => {
    const pictures = (['dev', 'test'] as const).flatMap((part) => peopleIn(data, part));
    const samples = await computeTemplates(
      pack,
      pictures.filter(({ subset }) => subset !== 'lfw'),
    );
    return enrolmentSections(samples, { threshold: pack.manifest.threshold, curve: pack.curve });
  });
}

/** Writes `enrolment.json` and `summary.json`, the goals and results. */
async function summary(): Promise<void> {
  const enrolment = await enrolled();
  const pack = await withPackOf(cacheDir, builtin, async ({ embeddingSpec }) => nameOf(embeddingSpec));
  await result('enrolment', async () => ({ pack, sections: enrolment, notes: [], plots: [] }));
  const all = [...(await sectionsOf('verification')), ...enrolment, ...(await sectionsOf('idcard'))];
  const goals = goalsTable(all);
  print(goals);
  if (out !== undefined) writeResult(out, 'summary', { pack, tables: [goals], notes: [] });
}

const nameOf = ({ pack, version }: EmbeddingSpec) => `${pack} ${version}`;

/** Compares the built-in pack with others on the same pictures. */
async function packs(others: readonly string[]): Promise<void> {
  await result(`packs-${split}`, async () => {
    const all: PackSamples[] = [];
    for (const id of [builtin.id, ...others]) {
      const choice = { ...builtin, id };
      all.push(await withPackOf(cacheDir, choice, (pack) => packSamples(pack, peopleIn(data, split))));
    }
    const written = await writePackPlots({ plots, split }, all);
    const pack = all.map(({ name }) => name).join(', ');
    return { pack, sections: packSections(all), notes: [], plots: written };
  });
}

for (const part of options.parts) {
  if (part === 'summary') await summary();
  else if (part !== 'packs') await sectionsOf(part);
  else if (beside.length > 0) await packs(beside);
}
