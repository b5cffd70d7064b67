import type { PackChoice } from '@wajah/engine';
import { evaluate } from './commands.ts';
import { peopleIn } from './data/people-folder.ts';
import { type Measured, measureInto } from './measure/report.ts';
import { tables } from './measure/tables.ts';
import { enrolmentSections } from './people/enrolment.ts';
import { type PackSamples, packSamples, packSections } from './people/packs.ts';
import { computeTemplates } from './people/templates.ts';
import { withPackOf } from './run/command.ts';
import { type Part, readMeasureOptions } from './run/measure-options.ts';

const options = readMeasureOptions();
const { data, cache: cacheDir, split, out, plots, packs: packsDir, beside } = options;
const builtin: PackChoice = { id: 'builtin', packsDir, acceptNonCommercial: true };

/** Writes a result into its file, or to standard output without `--out`. */
async function result(name: string, measure: () => Promise<Measured>): Promise<void> {
  if (out !== undefined) await measureInto(out, name, measure);
  else print(await measure());
}

function print({ sections }: Pick<Measured, 'sections'>): void {
  console.log(JSON.stringify(tables(sections), null, 1));
}

/** Runs `wajah evaluate`. */
async function task(name: Exclude<Part, 'enrolment' | 'packs'>): Promise<void> {
  const report = await evaluate({ task: name, data, split, cacheDir, pack: builtin, plots, out });
  if (out === undefined) print(report);
}

/** Verification and identification with one reference on colour pictures of both splits: too few pictures to be split. */
async function enrolment(): Promise<Measured> {
  return withPackOf(cacheDir, builtin, async (pack) => {
    const pictures = (['dev', 'test'] as const).flatMap((part) => peopleIn(data, part));
    const samples = await computeTemplates(
      pack,
      pictures.filter(({ subset }) => subset !== 'lfw'),
    );
    const operation = { threshold: pack.manifest.threshold, curve: pack.curve };
    const { pack: id, version } = pack.embeddingSpec;
    return {
      pack: `${id} ${version}`,
      sections: enrolmentSections(samples, operation),
      notes: [],
      plots: [],
    };
  });
}

/** Compares the built-in pack with others on the same pictures. */
async function packs(): Promise<Measured> {
  const all: PackSamples[] = [];
  for (const id of [builtin.id, ...beside]) {
    const choice = { ...builtin, id };
    all.push(await withPackOf(cacheDir, choice, (pack) => packSamples(pack, peopleIn(data, split))));
  }
  const names = all.map(({ name }) => name).join(', ');
  return { pack: names, sections: packSections(all), notes: [], plots: [] };
}

for (const part of options.parts) {
  if (part === 'enrolment') await result(part, enrolment);
  else if (part !== 'packs') await task(part);
  else if (beside.length > 0) await result(`packs-${split}`, packs);
}
