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
 * Frontal pictures of different people with open eyes and closed mouth. Left out are `lfw`, which is greyscale, and
 * `deepface`, which does not name its people.
 * @param count at most so many people
 * @param several only people with two or three such pictures; otherwise one of each person
 */
export async function publicStills(
  engine: Engine,
  folder: EvalFolder,
  split: Split,
  { count, several }: { readonly count: number; readonly several: boolean },
): Promise<PublicStill[]> {
  const stills: PublicStill[] = [];
  for (const [person, files] of byPerson(folder, split)) {
    if (stills.length === count) break;
    if (several && files.length === 1) continue;
    const [still, ...more] = await suitableOf(engine, folder, several ? files : files.slice(0, 1));
    if (still && (!several || more.length > 0)) stills.push({ ...still, person, more });
  }
  return stills;
}

/** The first suitable ones. */
async function suitableOf(engine: Engine, folder: EvalFolder, files: readonly Candidate[]): Promise<Still[]> {
  const found: Still[] = [];
  for (const file of files) {
    if (found.length > MOST_MORE) break;
    const still = await suitable(engine, folder, file);
    if (still) found.push(still);
  }
  return found;
}

function byPerson(folder: EvalFolder, split: Split): Map<string, Candidate[]> {
  const people = new Map<string, Candidate[]>();
  for (const candidate of candidates(folder, split)) {
    people.set(candidate.person, [...(people.get(candidate.person) ?? []), candidate]);
  }
  return people;
}

interface Candidate {
  readonly task: Task;
  readonly file: string;
  readonly person: string;
}

/** In an order that depends on the names of the files only. */
function candidates(folder: EvalFolder, split: Split): Candidate[] {
  const all: Candidate[] = [];
  if (folder.has('verification')) {
    for (const { file, identity } of folder.entries('verification', split)) {
      if (!/^(lfw|deepface)\//.test(file)) all.push({ task: 'verification', file, person: identity });
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

async function suitable(
  engine: Engine,
  folder: EvalFolder,
  { task, file }: Candidate,
): Promise<Still | undefined> {
  const bytes = folder.bytes(task, file);
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
