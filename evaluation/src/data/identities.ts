import type { Pair } from './eval-folder.ts';

/** What is known of a picture's person. */
interface Named {
  readonly file: string;
  readonly identity: string;
}

/**
 * Whose each picture is. Where the listed pairs say that two pictures of one name show different people, the name is
 * that of a folder and not of a person: then those are one person who are linked by pairs of one person.
 * @returns an identity for each picture, in their order
 */
export function identitiesOf(pictures: readonly Named[], pairs: readonly Pair[]): string[] {
  const nameOf = new Map(pictures.map(({ file, identity }) => [file, identity]));
  const ambiguous = new Set<string>();
  for (const { a, b, same } of pairs) {
    const name = nameOf.get(a);
    if (!same && name !== undefined && name === nameOf.get(b)) ambiguous.add(name);
  }
  const root = linked(pairs.filter(({ same }) => same));
  return pictures.map(({ file, identity }) => (ambiguous.has(identity) ? root(file) : identity));
}

/** One file stands for all that pairs link to it. */
function linked(pairs: readonly Pair[]): (file: string) => string {
  const parent = new Map<string, string>();
  const root = (file: string): string => {
    const above = parent.get(file);
    return above === undefined ? file : root(above);
  };
  for (const { a, b } of pairs) {
    const [first, second] = [root(a), root(b)].sort();
    if (first !== second) parent.set(second!, first!);
  }
  return root;
}
