// Goodput and latency under overload, fairness between clients, memory under floods of bodies, calls without pictures.
//   npm run bench load -- [--parts simulation,http,bodies,envelope] [--picture face.jpg] [--seconds 20]
//     [--minutes 30] [--against ../before/packages/server/dist]
// --picture: a JPEG with a face, for http, whose rows take at most 8 s each, 5 minutes together, and for soak. --minutes of a
// soak: 15 or more. --against: another build of the server does bodies and envelope as well.
// `docs/dev/reliability.md` has the tables.
import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { floodBodies } from './load/bodies.ts';
import { callsWithoutPictures } from './load/envelope.ts';
import { loadOverHttp } from './load/http.ts';
import { simulateOverload } from './load/overload.ts';
import { soak } from './load/soak.ts';

const { values } = parseArgs({
  options: {
    parts: { type: 'string', default: 'simulation,bodies,envelope' },
    picture: { type: 'string', default: '../shared/eval/selfies/7caa18b2/5.jpg' },
    seconds: { type: 'string', default: '20' },
    minutes: { type: 'string', default: '30' },
    against: { type: 'string' },
  },
});
const others = values.against === undefined ? [] : [values.against];
const seconds = Number(values.seconds);

const parts: Readonly<Record<string, () => Promise<void>>> = {
  simulation: simulateOverload,
  async http() {
    await loadOverHttp(readFileSync(values.picture), Math.min(seconds, 8));
  },
  soak: () => soak(readFileSync(values.picture), Number(values.minutes)),
  async bodies() {
    for (const build of [...others, undefined]) await floodBodies(build);
  },
  envelope: () => callsWithoutPictures(others, seconds),
};

console.log(
  `${cpus().length} cores, ${cpus()[0]?.model.trim()}, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)}\n`,
);
for (const name of values.parts.split(',')) {
  const part = parts[name];
  if (!part) throw new Error(`--parts has ${name}; allowed: ${Object.keys(parts).join(', ')}`);
  await part();
  console.log();
}
