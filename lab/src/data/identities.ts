import type { Pair } from './eval-folder.ts';

/** A picture and the identity of the manifest. */
interface Named {
  readonly file: string;
  readonly identity: string;
}

/**
 * Identities of pictures. An identity with an impostor pair is the name of a folder, not of a person; there, pictures
 * that are linked by genuine pairs are one person.
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

/** Representative file of each set of linked files (union-find). */
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
