import type { Attribute, Engine } from '../../../packages/engine/dist/index.js';

/** A way to look at a picture. */
export interface Way {
  readonly name: string;
  readonly attributes: readonly Attribute[];
}

const liveness: readonly Attribute[] = ['pose', 'eyes', 'mouth', 'mask', 'spoof', 'embedding'];
const single: readonly Attribute[] = [
  'pose',
  'eyes',
  'mouth',
  'mask',
  'spoof',
  'quality',
  'perceptualHash',
  'crop',
];

/** From what the others are said as ratios of. */
const ways: readonly Way[] = [
  { name: 'decode, detect, align, embed', attributes: ['embedding'] },
  { name: 'decode, detect', attributes: [] },
  { name: 'every attribute of liveness, and embed', attributes: liveness },
  { name: 'all that can be asked for', attributes: [...single, 'embedding'] },
  ...single.map((one): Way => ({ name: `embed, and ${one}`, attributes: ['embedding', one] })),
];

interface Taken {
  readonly clock: number;
  readonly busy: number;
}

/** Looks at each picture in all ways, one after the other, so that what else the machine does meets all of them. */
export async function timeWays(engine: Engine, pictures: readonly Uint8Array[]): Promise<string[]> {
  const taken = ways.map((): Taken[] => []);
  for (const picture of [pictures[0]!, ...pictures]) {
    for (const [at, { attributes }] of ways.entries())
      taken[at]!.push(await timed(engine, picture, attributes));
  }
  // The first one warms up.
  for (const times of taken) times.shift();
  const base = taken[0]!;
  return ways.map(({ name }, at) => {
    const times = taken[at]!;
    const clock = median(times.map((one) => one.clock));
    const busy = median(times.map((one) => one.busy));
    // Of the same picture, or the pictures' own differences would hide that of the ways.
    const more = median(times.map((one, i) => one.busy - base[i]!.busy));
    const ratio = median(times.map((one, i) => one.busy / base[i]!.busy));
    return `| ${name} | ${clock.toFixed(1)} | ${busy.toFixed(1)} | ${more.toFixed(1)} | ${ratio.toFixed(2)} |`;
  });
}

async function timed(engine: Engine, picture: Uint8Array, attributes: readonly Attribute[]): Promise<Taken> {
  const before = process.cpuUsage();
  const start = performance.now();
  await engine.analyze(picture, { attributes, maxFaces: 1, search: 'fast' });
  const clock = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return { clock, busy: (user + system) / 1000 };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}
