/**
 * All entries of a list that is read page by page.
 * @param read a page: the entries, and `next_before`
 * @param most number of entries from which no further page is read
 */
export async function readPages<Entry>(
  read: (from: { before?: number }) => Promise<readonly [readonly Entry[], number | null]>,
  most = Number.POSITIVE_INFINITY,
): Promise<Entry[]> {
  const all: Entry[] = [];
  for (let before: number | null | undefined; before !== null && all.length < most; ) {
    const [entries, next] = await read(before === undefined ? {} : { before });
    all.push(...entries);
    before = next;
  }
  return all;
}
