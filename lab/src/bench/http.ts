// The service over HTTP: time to the first answer and idle memory, throughput against workers and clients, latency under
// load, CPU time of calls by process, and a search of a million people end to end. Everything is a ratio to a value of
// the same run.
//   npm run bench http -- [--data ../shared/eval] [--seconds 4] [--starts 3] [--people 1000000]
//     [--parts starts,load,calls,people] [--json FILE]
// Takes less than ten minutes on two quiet cores. The load generator runs on the same cores. Of the part `calls`:
//   [--calls verify,identify,identify-many,liveness,enrol,list,envelope] [--rounds 1]
//   [--against ../before/packages/server/dist] another build, measured in turn
//   [--beside 0] enrolments a second beside the calls
//   [--postgres postgres://user@host:port/postgres] instead of the embedded store [--delay 5] round trips to it, ms
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { openEngineInThread } from '../../../packages/engine/dist/index.js';
import { callsTable, kindNames, measureCalls } from './http/calls.ts';
import { CLIENTS, LOADS, measureServer, type Row, type Served } from './http/measure.ts';
import { FEW, measurePeople } from './http/people.ts';
import { imageLimits, photographs } from './speed/photographs.ts';
import { measureStarts, startsTable } from './speed/starts.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/eval' },
    seconds: { type: 'string', default: '4' },
    starts: { type: 'string', default: '3' },
    people: { type: 'string', default: '1000000' },
    parts: { type: 'string', default: 'starts,load,calls,people' },
    calls: { type: 'string', default: kindNames.join() },
    rounds: { type: 'string', default: '1' },
    against: { type: 'string' },
    postgres: { type: 'string' },
    delay: { type: 'string', default: '0' },
    beside: { type: 'string', default: '0' },
    json: { type: 'string' },
  },
});

/** One client and one worker: what figures are multiples of. */
const unitOf = (served: readonly Served[]): Row => served[0]!.clients[0]!;

const ratio = (value: number, unit: number, digits = 2) => (value / unit).toFixed(digits);

function throughputTable(served: readonly Served[]): string {
  const unit = unitOf(served).perSecond;
  const table = (of: (row: Row) => string) => [
    `| workers | ${CLIENTS.map((count) => `${count} client${count > 1 ? 's' : ''}`).join(' | ')} |`,
    `| --- |${CLIENTS.map(() => ' --- |').join('')}`,
    ...served.map(({ workers, clients }) => `| ${workers} | ${clients.map(of).join(' | ')} |`),
  ];
  return [
    `calls a second ÷ of one client and one worker (${unit.toFixed(1)} a second)\n`,
    ...table(({ perSecond }) => ratio(perSecond, unit)),
    '\nCPU, % of all cores: load generator / server / workers / other programs\n',
    ...table(({ cpu }) => cpu),
  ].join('\n');
}

function latencyTable(served: readonly Served[]): string {
  const unit = unitOf(served).p50;
  const rows = served.flatMap(({ workers, loads }) =>
    loads.map(({ p50, p95, p99, refused, cpu }, at) => {
      const cells = [p50, p95, p99].map((value) => ratio(value, unit, 1));
      return `| ${workers} | ${100 * LOADS[at]!} % | ${cells.join(' | ')} | ${refused} | ${cpu} |`;
    }),
  );
  return [
    `latency ÷ median of one client and one worker (${unit.toFixed(0)} ms)\n`,
    '| workers | load | p50 | p95 | p99 | refused | CPU, % |\n| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

async function people(picture: Uint8Array) {
  const found = await measurePeople(picture, Number(values.people));
  const [few, many] = found.searches;
  console.log('| people | p50, ms | p95, ms | CPU of a call, ms |\n| --- | --- | --- | --- |');
  for (const one of found.searches)
    console.log(`| ${one.people} | ${one.p50.toFixed(1)} | ${one.p95.toFixed(1)} | ${one.cpu.toFixed(1)} |`);
  const more = many!.p50 - few!.p50;
  console.log(
    `\nmore than among ${FEW}: ${more.toFixed(1)} ms at the median (goal ≤ 15), ${ratio(many!.p50, few!.p50)} ×; ` +
      `loaded and searched once after ${found.loadSeconds.toFixed(0)} s\n`,
  );
  return found;
}

/** A picture of about 80 KB, with milliseconds of CPU time of a call in the columns of processes. */
async function calls() {
  const others = values.against === undefined ? [] : [values.against];
  const costs = await measureCalls(picture, {
    kinds: values.calls.split(','),
    others,
    seconds: Number(values.seconds),
    rounds: Number(values.rounds),
    postgres: values.postgres,
    delayMs: Number(values.delay),
    beside: Number(values.beside),
  });
  const store = values.postgres ? `PostgreSQL, ${values.delay} ms away` : 'embedded store';
  console.log(
    `one worker, ${store}, picture of ${Math.round(picture.length / 1000)} kB; milliseconds of a call\n`,
  );
  console.log(`${callsTable(costs, ['this build', ...others])}\n`);
  return costs;
}

const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`;
console.log(`${machine}, load ${loadavg()[0]?.toFixed(1)}\n`);
const chooser = await openEngineInThread({ image: imageLimits });
const { pictures, width, height } = await photographs(chooser, values.data, 1, 1024, 768);
await chooser.close();
const picture = pictures[0]!;
const parts = new Set(values.parts.split(','));
const result: Record<string, unknown> = { machine, picture: { width, height } };
if (parts.has('starts')) {
  const starts = await measureStarts(Number(values.starts));
  result['starts'] = starts;
  console.log(`${startsTable(starts)}\n`);
}
if (parts.has('load')) {
  const served: Served[] = [];
  for (const workers of [1, 2]) served.push(await measureServer(workers, picture, Number(values.seconds)));
  result['served'] = served;
  console.log(`${throughputTable(served)}\n\n${latencyTable(served)}\n`);
}
if (parts.has('calls')) result['calls'] = await calls();
if (parts.has('people')) result['people'] = await people(picture);
if (values.json) writeFileSync(values.json, `${JSON.stringify(result, null, 2)}\n`);
