// `npm run demo -- <folder>`: runs a server on a temporary data directory and measures its error rates over HTTP.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { OperatorError } from '@wajah/server';
import { withProgress } from '../run/progress.ts';
import { readPairs } from './pairs.ts';
import { DemoError, readPeople } from './people.ts';
import { machineLine, pairsReport, peopleReport } from './report.ts';
import { runPairs } from './run-pairs.ts';
import { callsFor, runPeople } from './run-people.ts';
import { type DemoServer, startDemoServer } from './server.ts';

const usage = `npm run demo -- <folder, one folder a person> [--impostors <most per picture, 20>]
npm run demo -- <folder> --pairs <list.csv with a,b,same> [--subset <name>]`;

interface Arguments {
  readonly folder: string;
  readonly pairs: string | undefined;
  readonly subset: string | undefined;
  readonly impostors: number;
}

function readArguments(): Arguments {
  const options = {
    pairs: { type: 'string' },
    subset: { type: 'string' },
    impostors: { type: 'string' },
  } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [folder, ...more] = positionals;
  const impostors = Number(values.impostors ?? 20);
  if (folder === undefined || more.length > 0 || !Number.isInteger(impostors) || impostors < 0) {
    throw new DemoError(`usage:\n${usage}`);
  }
  return {
    folder: resolve(folder),
    pairs: values.pairs && resolve(values.pairs),
    subset: values.subset,
    impostors,
  };
}

/** Progress of `total` calls; without a terminal one line with their number. */
async function withCalls<T>(total: number, work: (tick: () => void) => Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) console.error(`${total} calls …`);
  return withProgress('calls', total, work);
}

async function report(
  { api, workers: width }: DemoServer,
  plan: ReturnType<typeof makePlan>,
): Promise<string> {
  if ('pairs' in plan) {
    const { pairs } = plan;
    const result = await withCalls(pairs.length, (tick) => runPairs(api, pairs, { width, tick }));
    return pairsReport(result, api.times);
  }
  const { people, others } = plan;
  const result = await withCalls(callsFor(people, others), (tick) =>
    runPeople(api, people, { others, width, tick }),
  );
  return peopleReport(result, api.times);
}

/** Reads the pictures or pairs before the server starts, so that wrong arguments fail at once. */
function makePlan({ folder, pairs, subset, impostors }: Arguments) {
  return pairs === undefined
    ? { people: readPeople(folder), others: impostors }
    : { pairs: readPairs(pairs, folder, subset) };
}

async function main(): Promise<void> {
  const plan = makePlan(readArguments());
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
    error instanceof OperatorError ||
    (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  console.error(known ? (error as Error).message : error);
  process.exitCode = 1;
}
