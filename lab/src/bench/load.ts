// Memory of a server under floods of bodies, and in a soak.
//   npm run bench load -- [--parts bodies,soak] [--picture face.jpg] [--minutes 30]
//     [--against ../before/packages/server/dist]
// --picture: a JPEG with a face, for the soak, which takes --minutes, 15 or more. --against: another build of the server
// that is flooded as well. `docs/dev/reliability.md` has the figures.
import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { floodBodies } from './load/bodies.ts';
import { soak } from './load/soak.ts';

const { values } = parseArgs({
  options: {
    parts: { type: 'string', default: 'bodies' },
    picture: { type: 'string', default: '../shared/eval/selfies/7caa18b2/5.jpg' },
    minutes: { type: 'string', default: '30' },
    against: { type: 'string' },
  },
});

const parts: Readonly<Record<string, () => Promise<void>>> = {
  async bodies() {
    for (const build of values.against === undefined ? [undefined] : [values.against, undefined])
      await floodBodies(build);
  },
  soak: () => soak(readFileSync(values.picture), Number(values.minutes)),
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
