import type { Engine } from '@wajah/engine';
import { readStill, type Still } from '../attacks/still.ts';
import type { EvalFolder, Split, Task } from '../data/eval-folder.ts';
import { seeded } from '../recapture/random.ts';

/** A public picture that an attacker may animate. */
export interface PublicStill extends Still {
  readonly person: string;
  /** Further suitable pictures of the person, at most two. */
  readonly more: readonly Still[];
}

const MOST_MORE = 2;

/** Least width of a face, pixels: the attacker takes pictures that are sharp enough. */
const LEAST_FACE = 110;
/** Largest angle of a frontal face, degrees. */
const FRONTAL = 10;

/**
 * Frontal pictures of different people with open eyes and closed mouth, in an order that depends on nothing else.
 * Greyscale pictures (`lfw`) are left out.
 * @param count at most so many
 */
export async function publicStills(
  engine: Engine,
  folder: EvalFolder,
  split: Split,
  count: number,
): Promise<PublicStill[]> {
  const people = new Map<string, Still[]>();
  for (const { task, file, person } of candidates(folder, split)) {
    const known = people.get(person) ?? [];
    if (known.length > MOST_MORE || (known.length === 0 && people.size === count)) continue;
    const still = await suitable(engine, folder.bytes(task, file));
    if (still) people.set(person, [...known, still]);
  }
  return [...people].map(([person, [still, ...more]]) => ({ ...still!, person, more }));
}

interface Candidate {
  readonly task: Task;
  readonly file: string;
  readonly person: string;
}

function candidates(folder: EvalFolder, split: Split): Candidate[] {
  const all: Candidate[] = [];
  if (folder.has('verification')) {
    for (const { file, identity } of folder.entries('verification', split)) {
      if (!file.startsWith('lfw/')) all.push({ task: 'verification', file, person: identity });
    }
  }
  if (folder.has('mask')) {
    for (const { file, label } of folder.entries('mask', split)) {
      if (label === 'no_mask') all.push({ task: 'mask', file, person: `mask/${file}` });
    }
  }
  const order = new Map(all.map(({ file }) => [file, seeded(file).between(0, 1)]));
  return all.sort((a, b) => order.get(a.file)! - order.get(b.file)!);
}

async function suitable(engine: Engine, bytes: Uint8Array): Promise<Still | undefined> {
  const { faces } = await engine.analyze(bytes, {
    attributes: ['pose', 'eyes', 'mouth'],
    maxFaces: 1,
    search: 'fast',
  });
  const [face] = faces;
  if (!face?.pose || face.box.width < LEAST_FACE) return undefined;
  if (Math.abs(face.pose.yaw) > FRONTAL || Math.abs(face.pose.pitch) > FRONTAL) return undefined;
  if (face.eyes?.left.state !== 'open' || face.eyes.right.state !== 'open') return undefined;
  if (face.mouth?.state !== 'closed') return undefined;
  return readStill(engine, bytes);
}
