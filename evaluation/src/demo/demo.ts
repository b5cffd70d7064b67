// `npm run demo -- <folder>`: runs a server on a temporary data directory and measures its error rates over HTTP.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { withProgress } from '../run/progress.ts';
import { readPairs } from './pairs.ts';
import { DemoError, readPeople } from './people.ts';
import { machineLine, pairsReport, peopleReport } from './report.ts';
import { runPairs } from './run-pairs.ts';
import { callsFor, runPeople } from './run-people.ts';
import type { DemoServer } from './server.ts';

const usage = `Measures on pictures of your own how often the service errs: it starts a server with an empty
data directory, makes all calls over HTTP, prints the error rates and every mistake, and
deletes everything.

usage:
  npm run demo -- <folder> [--impostors <number>]
      The folder has one folder of pictures for each person. The first picture of a person is
      enrolled. Each other one is verified as this person (genuine pair) and as other people
      (impostor pairs, at most 20 or <number> of them), and identified in the gallery.
  npm run demo -- <folder> --pairs <list.csv> [--subset <name>]
      Compares listed pairs of pictures of the folder: the columns a and b are files, same is
      1 or 0. With --subset only the lines whose column subset has this name.

The rates: FNMR, genuine pairs not matched; FMR, impostor pairs matched; FNIR, probes of
enrolled people for which they were not returned. docs/glossary.md has the terms.`;

interface Arguments {
  readonly folder: string;
  readonly pairs: string | undefined;
  readonly subset: string | undefined;
  readonly impostors: number;
}

/** @returns null: help is asked for */
function readArguments(): Arguments | null {
  const options = {
    pairs: { type: 'string' },
    subset: { type: 'string' },
    impostors: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (values.help) return null;
  const [folder, ...more] = positionals;
  const impostors = Number(values.impostors ?? 20);
  if (folder === undefined || more.length > 0 || !Number.isInteger(impostors) || impostors < 0) {
    throw new DemoError(usage);
  }
  return {
    folder: resolve(folder),
    pairs: values.pairs && resolve(values.pairs),
    subset: values.subset,
    impostors,
  };
}

async function report(
  { api, workers: width }: DemoServer,
  plan: ReturnType<typeof makePlan>,
): Promise<string> {
  if ('pairs' in plan) {
    const { pairs } = plan;
    console.error(`Comparing ${pairs.length} pairs of pictures …`);
    const run = (tick: () => void) => runPairs(api, pairs, { width, tick });
    const result = await withProgress('compared', pairs.length, run, 'calls');
    return pairsReport(result, api.times);
  }
  const { people, others } = plan;
  console.error(`Enrolling ${people.length} people, then verifying and identifying their further pictures …`);
  const run = (tick: () => void) => runPeople(api, people, { others, width, tick });
  const result = await withProgress('measured', callsFor(people, others), run, 'calls');
  return peopleReport(result, api.times);
}

/** Reads the pictures or pairs before the server starts, so that wrong arguments fail at once. */
function makePlan({ folder, pairs, subset, impostors }: Arguments) {
  return pairs === undefined
    ? { people: readPeople(folder), others: impostors }
    : { pairs: readPairs(pairs, folder, subset) };
}

async function main(): Promise<void> {
  const given = readArguments();
  if (given === null) {
    console.log(usage);
    return;
  }
  const plan = makePlan(given);
  // Loaded when it is needed: wrong arguments are refused without it.
  const { startDemoServer } = await import('./server.ts');
  console.error('Starting a server with an empty data directory …');
  const server = await startDemoServer();
  const stop = () => {
    void server.close().finally(() => process.exit(130));
  };
  process.once('SIGINT', stop);
  try {
    console.log(`${await report(server, plan)}\n\n${server.settings}\n${machineLine(server.workers)}`);
  } finally {
    process.off('SIGINT', stop);
    await server.close();
  }
}

try {
  await main();
} catch (error) {
  const known =
    error instanceof DemoError ||
    (error as Error).name === 'OperatorError' ||
    (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  console.error(known ? (error as Error).message : error);
  process.exitCode = 1;
}
