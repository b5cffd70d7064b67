// Number of servers that a load needs for a given p99 latency, simulated from measured service times.
//   npm run bench simulate -- --per-day 1000000 --peak 5 --faces 1000000 --p99 300
import { parseArgs } from 'node:util';
import { type Fleet, type Load, logNormal, type Outcome, seeded, simulate } from './simulate/fleet.ts';

const { values } = parseArgs({
  options: {
    /** Identifications per day, and load of the busiest hour over the mean. */
    'per-day': { type: 'string', default: '1000000' },
    peak: { type: 'string', default: '5' },
    /** Size of the searched gallery. */
    faces: { type: 'string', default: '1000000' },
    p99: { type: 'string', default: '300' },
    cores: { type: 'string', default: '8' },
    /** CPU milliseconds of a picture; measured, see docs/operations/sizing.md. */
    picture: { type: 'string', default: '40' },
    spread: { type: 'string', default: '0.5' },
    /** CPU milliseconds of a search of a million faces. */
    'scan-million': { type: 'string', default: '8.8' },
    /** Milliseconds of a call that wait for the database. */
    database: { type: 'string', default: '5' },
    calls: { type: 'string', default: '200000' },
  },
});
const option = (name: keyof typeof values) => {
  const value = Number(values[name]);
  if (!(value > 0)) throw new Error(`--${name} is ${values[name]}; allowed: a number above 0`);
  return value;
};

const mean = option('picture') + (option('scan-million') * option('faces')) / 1e6;
const load: Load = {
  rate: (option('per-day') / 86_400) * option('peak'),
  service: logNormal(mean, option('spread')),
  databaseMs: option('database'),
};
const target = option('p99');

console.log(
  `${load.rate.toFixed(1)} calls a second in the busiest hour, ${mean.toFixed(1)} ms of a core each: ` +
    `${((load.rate * mean) / 1000).toFixed(1)} cores without queueing\n`,
);
console.log('| servers | utilisation | p50 ms | p99 ms | refused |\n| --- | --- | --- | --- | --- |');
let servers = Math.max(1, Math.floor((load.rate * mean) / 1000 / option('cores')));
for (; ; servers++) {
  const outcome = play({ servers, cores: option('cores'), queue: 64 });
  console.log(line(servers, outcome));
  if (outcome.p99 <= target && outcome.refused === 0) break;
  if (servers > 10_000) throw new Error('no number of servers reaches this p99: a single call takes longer');
}
console.log(`\n${servers} servers of ${option('cores')} cores answer 99 of 100 calls within ${target} ms.`);
console.log(`With one spare: ${servers + 1}.`);

function play(fleet: Fleet): Outcome {
  return simulate(fleet, load, option('calls'), seeded(1));
}

function line(count: number, { utilisation: busy, p50, p99, refused }: Outcome): string {
  return `| ${count} | ${(busy * 100).toFixed(0)} % | ${p50.toFixed(0)} | ${p99.toFixed(0)} | ${(refused * 100).toFixed(2)} % |`;
}
