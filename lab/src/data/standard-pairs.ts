import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A pair of LFW's protocol; paths inside the folder. */
export interface StandardPair {
  readonly a: string;
  readonly b: string;
  readonly same: boolean;
  /** 0 for the first fold. */
  readonly fold: number;
}

/**
 * The pairs of `pairs.txt` in the format of LFW ("View 2"): a line with the numbers of folds and of genuine pairs in each;
 * for each fold so many lines `name n m` of one person, then as many lines `name n name m` of two.
 * @throws Error that names the line, or the file that is missing
 */
export function standardPairsIn(root: string): StandardPair[] {
  return parsePairs(readFileSync(join(root, 'pairs.txt'), 'utf8'));
}

function parsePairs(text: string): StandardPair[] {
  const [head, ...lines] = text.trimEnd().split(/\r?\n/);
  const [folds, each] = (head ?? '').split('\t').map(Number);
  if (!folds || !each || lines.length !== 2 * folds * each) {
    throw new Error(
      'pairs.txt: the first line must have the numbers of folds and of genuine pairs in each, and as many genuine and impostor pairs must follow',
    );
  }
  return lines.map((line, i) => {
    const [a, n, b, m] = withNames(line.split('\t'));
    if (!a || !b || !(Number(n) > 0) || !(Number(m) > 0)) {
      throw new Error(`pairs.txt: line ${i + 2} is neither "name n m" nor "name n name m"`);
    }
    return { a: pathOf(a, n), b: pathOf(b, m), same: a === b, fold: Math.floor(i / (2 * each)) };
  });
}

/** `name n m` as `name n name m`. */
function withNames(fields: readonly string[]): readonly (string | undefined)[] {
  const [a, n, m] = fields;
  return fields.length === 3 ? [a, n, a, m] : fields;
}

function pathOf(name: string, number: string | undefined): string {
  return `${name}/${name}_${number!.padStart(4, '0')}.jpg`;
}
