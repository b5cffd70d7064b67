/** How ids compare that people take for one: without case, and numbers without the zeros before them. */
const plain = (id: string) =>
  id
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(?<!\d)0+(?=\d)/g, '');

/** Pairs of ids that a notice names. */
const namedPairs = 5;

/**
 * Notice of ids that differ only in case or in zeros before a number, such as `emp1` and `EMP1`, `1` and `001`: they are
 * imported as different people.
 * @returns undefined where there are none
 */
export function alikeIdsNotice(ids: readonly string[]): string | undefined {
  const groups = new Map<string, string[]>();
  for (const id of new Set(ids)) {
    const group = groups.get(plain(id));
    if (group) group.push(id);
    else groups.set(plain(id), [id]);
  }
  const alike = [...groups.values()].filter(({ length }) => length > 1);
  if (alike.length === 0) return undefined;
  const named = alike.slice(0, namedPairs).map((group) => group.join(' and '));
  const more = alike.length > namedPairs ? `; and ${alike.length - namedPairs} more` : '';
  return `These user_ids differ only in case or in zeros before a number, and are different people here: ${named.join('; ')}${more}. Write the id of one person in one way.`;
}
