import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DemoError } from './people.ts';

/** Paths of two pictures; `same`: a genuine pair. */
export interface Pair {
  readonly a: string;
  readonly b: string;
  readonly same: boolean;
}

/**
 * Reads a list of pairs: CSV with the columns a, b, same (1 or 0) and, optionally, subset.
 * @param folder base of the pictures' paths; the folder of the list is tried next
 * @throws DemoError when the list or a picture is missing, or no pair is left
 */
export function readPairs(file: string, folder: string, subset: string | undefined): Pair[] {
  const [head = '', ...lines] = readList(file).split(/\r?\n/);
  const columns = head.split(',');
  const [a, b, same] = ['a', 'b', 'same'].map((name) => columns.indexOf(name)) as [number, number, number];
  if (Math.min(a, b, same) < 0) {
    throw new DemoError(`${file} starts with "${head.slice(0, 80)}"; it needs the columns a,b,same`);
  }
  const pairs = lines
    .map((line) => line.split(','))
    .filter((cells) => cells.length >= 3)
    .filter((cells) => subset === undefined || cells[columns.indexOf('subset')] === subset)
    .map((cells) => ({
      a: locate(cells[a] ?? '', folder, file),
      b: locate(cells[b] ?? '', folder, file),
      same: cells[same]?.trim() === '1',
    }));
  if (pairs.length === 0) {
    throw new DemoError(`${file} has no pairs${subset === undefined ? '' : ` of the subset ${subset}`}`);
  }
  return pairs;
}

function readList(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new DemoError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unreadable'})`);
  }
}

function locate(path: string, folder: string, file: string): string {
  const found = [join(folder, path), join(dirname(file), path)].find((candidate) => existsSync(candidate));
  if (found === undefined)
    throw new DemoError(`${path} of ${file} is neither below ${folder} nor beside the list`);
  return found;
}
