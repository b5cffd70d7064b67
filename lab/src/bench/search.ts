// Latency of gallery searches compared with a plain loop, in one process on the same vectors.
//   npm run bench search -- [1000x128 100000x128 …] [--runs 5]
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { cohortProbe, MAX_COHORT, measureCohort } from '@wajah/engine';
import { type Data, drawData, rowOf } from './search/data.ts';
import { cpuMs, quietestRun, type Times } from './search/measure.ts';
import { WajahIndex } from './search/wajah-index.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '5' },
  },
});
const sizes =
  positionals.length > 0
    ? positionals
    : ['1000x128', '10000x128', '100000x128', '1000000x128', '1000000x512'];
const probes = 64;
/** People whose duplicates are searched for; the time of all is computed from theirs. */
const mostPaired = 2000;

console.log(`${cpus().length} cores, ${cpus()[0]?.model.trim()}, Node ${process.versions.node}\n`);
for (const size of sizes) {
  const [count, dimensions] = size.split('x').map(Number);
  await bench(drawData(count!, dimensions!, probes));
}

async function bench(data: Data): Promise<void> {
  const index = new WajahIndex(data);
  const probe = (round: number) => data.probes[round % probes]!;
  await index.search(probe(0), 1);
  const rounds = data.count > 50_000 ? 100 : 1000;
  const runs = Number(values.runs);
  for (let warm = 0; warm < rounds / 2; warm++) await index.search(probe(warm), 1);
  const searches = [
    (round: number) => index.search(probe(round), 1),
    (round: number) => index.search(probe(round), 10),
    await normalisedSearch(data, index),
  ];
  const [one, ten, normalised] = await quietestRun(searches, rounds, runs);
  console.log(`## ${data.count} × ${data.dimensions}\n`);
  console.log(
    '| search | p50 ms | p95 ms | CPU p50 | CPU p95 | best row equals brute force |\n| --- | --- | --- | --- | --- | --- |',
  );
  line('Wajah, k = 1', one!, await agreement(data, index));
  line('Wajah, k = 10', ten!, '');
  line('Wajah, k = 1, normalised by the gallery', normalised!, '');
  const plain = (round: number) => bruteForce(data, probe(round));
  const [loop] = await quietestRun([plain], data.count > 50_000 ? 8 : 200, 2);
  line('plain JavaScript, float32', loop!, '');
  await throughput(data, index);
  await allPairs(data, index);
  console.log(
    `${index.bytesPerFace.toFixed(0)} bytes per face: template ${4 * data.dimensions}, codes ${data.dimensions}\n`,
  );
}

/** Searches by scores that are normalised by 512 people of the gallery. */
async function normalisedSearch(data: Data, index: WajahIndex): Promise<(round: number) => unknown> {
  const people = Array.from({ length: Math.min(MAX_COHORT, data.count) }, (_, row) => rowOf(data, row));
  const curve = {
    mean: 0,
    deviation: 0.1,
    knots: [
      [0, 0],
      [6, -6],
    ] satisfies [number, number][],
  };
  const cohort = await measureCohort(curve, people, { complete: false });
  if (!cohort) throw new Error('too few people for normalised scores');
  return async (round) => {
    const { query, similarityOf } = cohortProbe(curve, cohort, data.probes[round % probes]!);
    const [best] = await index.search(query, 1);
    return best && similarityOf(best.score);
  };
}

function line(name: string, times: Times, agrees: string): void {
  const numbers = [times.p50, times.p95, times.cpu50, times.cpu95].map((value) => value.toFixed(3));
  console.log(`| ${name} | ${numbers.join(' | ')} | ${agrees} |`);
}

/** A loop over one typed array. @returns index of the best row */
function bruteForce({ rows, dimensions }: Data, probe: Float32Array): number {
  let best = -1;
  let most = Number.NEGATIVE_INFINITY;
  for (let row = 0, at = 0; at < rows.length; row++, at += dimensions) {
    let sum = 0;
    for (let d = 0; d < dimensions; d++) sum += rows[at + d]! * probe[d]!;
    if (sum <= most) continue;
    most = sum;
    best = row;
  }
  return best;
}

/** Number of probes whose best row is that of an exhaustive search. */
async function agreement(data: Data, index: WajahIndex): Promise<string> {
  let agree = 0;
  const asked = data.probes.slice(0, data.count > 50_000 ? 16 : probes);
  for (const probe of asked) {
    const [best] = await index.search(probe, 1);
    if (best?.userName === `Person ${bruteForce(data, probe)}`) agree++;
  }
  return `${agree} of ${asked.length}`;
}

/** Searches for duplicates: each person among all, on one core. */
async function allPairs(data: Data, index: WajahIndex): Promise<void> {
  const people = Math.min(data.count, mostPaired);
  const [start, cpu] = [performance.now(), cpuMs()];
  const found = await index.pairs(0.6, people);
  const seconds = (milliseconds: number) => ((milliseconds / 1000) * (data.count / people)).toFixed(2);
  console.log(
    `duplicates on one core: ${seconds(performance.now() - start)} s, CPU ${seconds(cpuMs() - cpu)} s for all people; ${found} pairs above 0.6 of ${people} people`,
  );
}

async function throughput(data: Data, index: WajahIndex): Promise<void> {
  for (const threads of [1, 2] as const) await index.throughput(data.probes, threads, 300);
  const runs = [];
  for (let run = 0; run < 3; run++) {
    runs.push({
      one: await index.throughput(data.probes, 1, 600),
      two: await index.throughput(data.probes, 2, 600),
    });
  }
  const { one, two } = runs.toSorted((a, b) => b.two.wall - a.two.wall)[0]!;
  const times = (of: 'wall' | 'cpu', cores: number) => ((cores * two[of]) / one[of]).toFixed(2);
  console.log(
    `\nthroughput: ${one.wall.toFixed(0)}/s with one worker, ${two.wall.toFixed(0)}/s with two (× ${times('wall', 1)});`,
    `per CPU second ${one.cpu.toFixed(0)} and ${two.cpu.toFixed(0)} (two cores: × ${times('cpu', 2)})`,
  );
}
