import type { Attribute, Engine } from '../../../packages/engine/dist/index.js';

/** Attributes that are requested of a picture. */
export interface Workload {
  readonly name: string;
  readonly attributes: readonly Attribute[];
}

const liveness: readonly Attribute[] = ['pose', 'eyes', 'mouth', 'mask', 'spoof', 'embedding'];
const single: readonly Attribute[] = ['pose', 'eyes', 'mouth', 'mask', 'spoof', 'quality', 'shape', 'crop'];

/** The first one is the base of the ratios. */
const workloads: readonly Workload[] = [
  { name: 'decode, detect, align, embed', attributes: ['embedding'] },
  { name: 'decode, detect', attributes: [] },
  { name: 'every attribute of liveness, embed', attributes: liveness },
  { name: 'all attributes', attributes: [...single, 'embedding'] },
  ...single.map((one): Workload => ({ name: `embed, ${one}`, attributes: ['embedding', one] })),
];

interface Duration {
  readonly wall: number;
  readonly cpu: number;
}

/** Analyses each picture with all workloads in turn, so that other load of the machine affects all of them. */
export async function timeWorkloads(engine: Engine, pictures: readonly Uint8Array[]): Promise<string[]> {
  const durations = workloads.map((): Duration[] => []);
  for (const picture of [pictures[0]!, ...pictures]) {
    for (const [at, { attributes }] of workloads.entries())
      durations[at]!.push(await timed(engine, picture, attributes));
  }
  // The first picture is the warm-up.
  for (const times of durations) times.shift();
  const base = durations[0]!;
  return workloads.map(({ name }, at) => {
    const times = durations[at]!;
    const wall = median(times.map((one) => one.wall));
    const cpu = median(times.map((one) => one.cpu));
    // Differences of the same picture: those between pictures are larger than those between workloads.
    const more = median(times.map((one, i) => one.cpu - base[i]!.cpu));
    const ratio = median(times.map((one, i) => one.cpu / base[i]!.cpu));
    return `| ${name} | ${wall.toFixed(1)} | ${cpu.toFixed(1)} | ${more.toFixed(1)} | ${ratio.toFixed(2)} |`;
  });
}

async function timed(
  engine: Engine,
  picture: Uint8Array,
  attributes: readonly Attribute[],
): Promise<Duration> {
  const before = process.cpuUsage();
  const start = performance.now();
  await engine.analyze(picture, { attributes, maxFaces: 1, search: 'fast' });
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return { wall, cpu: (user + system) / 1000 };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}
