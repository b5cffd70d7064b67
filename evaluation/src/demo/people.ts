import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A person with pictures. */
export interface Person {
  readonly name: string;
  /** Paths, sorted: the first is the reference, the others are probes. */
  readonly pictures: readonly [string, ...string[]];
}

/** A wrong argument; `message` is one line for the user. */
export class DemoError extends Error {
  override readonly name = 'DemoError';
}

const picture = /\.(jpe?g|png)$/i;
const byName = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * People of a folder with one folder for each person, sorted by name; pictures of nested folders belong to the person.
 * @throws DemoError with fewer than two people, or when nobody has a second picture
 */
export function readPeople(folder: string): Person[] {
  const people = entries(folder).flatMap((name) => {
    const [first, ...others] = isFolder(join(folder, name)) ? picturesBelow(join(folder, name)) : [];
    return first === undefined ? [] : [{ name, pictures: [first, ...others] as const }];
  });
  if (people.length < 2) {
    throw new DemoError(
      `${folder} has ${people.length} folders with pictures (.jpg, .png); the demo needs one folder a person and at least 2 people. For a list of pairs: --pairs pairs.csv`,
    );
  }
  if (people.every(({ pictures }) => pictures.length === 1)) {
    throw new DemoError(`${folder}: nobody has a second picture to verify with`);
  }
  return people;
}

function picturesBelow(folder: string): string[] {
  return entries(folder).flatMap((name) => {
    const path = join(folder, name);
    if (isFolder(path)) return picturesBelow(path);
    return picture.test(name) ? [path] : [];
  });
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith('.'))
      .sort(byName);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unreadable';
    throw new DemoError(`${folder} cannot be read as a folder (${code})`);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
