// How fast galleries are searched, beside other ways to do the same, in one process on the same vectors.
//   npm run bench:search -- [1000x128 100000x128 …] [--tools folder] [--runs 5] [--pgvector postgres://…]
// The others are not dependencies: `npm install --prefix .cache/bench-tools usearch@2.25.3 sqlite-vec@0.1.9`;
// pgvector is measured in a database of this machine that has it.
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Data, drawData } from './search/data.ts';
import { quietest, type Times } from './search/measure.ts';
import { type Other, plainJavaScript, sqliteVec, usearch } from './search/others.ts';
import { Ours } from './search/ours.ts';
import { pgvector } from './search/pgvector.ts';
import { openStream } from './search/stream.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tools: { type: 'string', default: '.cache/bench-tools' },
    runs: { type: 'string', default: '5' },
    pgvector: { type: 'string' },
  },
});
const sizes =
  positionals.length > 0
    ? positionals
    : ['1000x128', '10000x128', '100000x128', '1000000x128', '1000000x512'];
const probes = 64;

console.log(`${cpus().length} cores, ${cpus()[0]?.model.trim()}, Node ${process.versions.node}\n`);
for (const size of sizes) {
  const [count, dimensions] = size.split('x').map(Number);
  await bench(drawData(count!, dimensions!, probes));
}

async function bench(data: Data): Promise<void> {
  const ours = new Ours(data);
  const probe = (round: number) => data.probes[round % probes]!;
  await ours.search(probe(0), 1);
  const stream = await openStream(ours.arenas.memories, ours.target);
  const rounds = data.count > 50_000 ? 100 : 1000;
  const runs = Number(values.runs);
  for (let warm = 0; warm < rounds / 2; warm++) await ours.search(probe(warm), 1);
  const ways = [
    stream,
    (round: number) => ours.search(probe(round), 1),
    (round: number) => ours.search(probe(round), 10),
  ];
  const [streamed, one, ten] = await quietest(ways, rounds, runs);
  console.log(`## ${data.count} × ${data.dimensions}\n`);
  console.log(
    '| way | p50 ms | p95 ms | busy p50 | busy p95 | busy × streaming | best row as brute force |\n| --- | --- | --- | --- | --- | --- | --- |',
  );
  line('reading the scanned bytes', streamed!, streamed!, '');
  line('Wajah, k = 1', one!, streamed!, await agreement(data, ours));
  line('Wajah, k = 10', ten!, streamed!, '');
  for (const other of others(data)) await compare(other, data, streamed!);
  if (values.pgvector) {
    const { ways, close } = await pgvector(data, values.pgvector);
    for (const other of ways) await compare(other, data, streamed!);
    await close();
  }
  await throughput(data, ours);
  console.log(
    `${ours.bytesPerFace.toFixed(0)} bytes a face: template ${4 * data.dimensions}, codes ${data.dimensions}\n`,
  );
}

function line(name: string, times: Times, streamed: Times, agrees: string): void {
  const numbers = [times.p50, times.p95, times.busy50, times.busy95].map((value) => value.toFixed(3));
  const ratio = (times.busy50 / streamed.busy50).toFixed(2);
  console.log(`| ${name} | ${numbers.join(' | ')} | ${ratio} | ${agrees} |`);
}

function others(data: Data): Other[] {
  const tools = resolve(values.tools);
  const all: Other[] = [plainJavaScript(data)];
  // Of the larger row only what is ours: the others would need as much memory again, each.
  if (data.rows.length > 2e8) return all;
  for (const open of [() => usearch(data, tools), () => [sqliteVec(data, tools)]]) {
    try {
      all.push(...open());
    } catch (error) {
      console.error(`left out: ${String(error).split('\n')[0]}`);
    }
  }
  return all;
}

async function compare(other: Other, data: Data, streamed: Times): Promise<void> {
  const rounds = data.count > 50_000 ? 8 : 200;
  const [times] = await quietest(
    [(round) => other.best(data.probes[round % probes]!)],
    rounds,
    2,
    other.busy,
  );
  line(other.name, times!, streamed, '');
}

/** Share of the probes whose best row is that of a plain search. */
async function agreement(data: Data, ours: Ours): Promise<string> {
  const plain = plainJavaScript(data);
  let agree = 0;
  const asked = data.probes.slice(0, data.count > 50_000 ? 16 : probes);
  for (const probe of asked) {
    const [best] = await ours.search(probe, 1);
    if (best?.userName === `Person ${plain.best(probe)}`) agree++;
  }
  return `${agree} of ${asked.length}`;
}

async function throughput(data: Data, ours: Ours): Promise<void> {
  for (const threads of [1, 2] as const) await ours.throughput(data.probes, threads, 300);
  const runs = [];
  for (let run = 0; run < 3; run++) {
    runs.push({
      one: await ours.throughput(data.probes, 1, 600),
      two: await ours.throughput(data.probes, 2, 600),
    });
  }
  const { one, two } = runs.toSorted((a, b) => b.two.wall - a.two.wall)[0]!;
  const times = (of: 'wall' | 'busy', cores: number) => ((cores * two[of]) / one[of]).toFixed(2);
  console.log(
    `\nthroughput: ${one.wall.toFixed(0)}/s in one worker, ${two.wall.toFixed(0)}/s in two (× ${times('wall', 1)});`,
    `per busy second ${one.busy.toFixed(0)} and ${two.busy.toFixed(0)} (two cores: × ${times('busy', 2)})`,
  );
}
