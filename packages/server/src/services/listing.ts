import { Refusal } from '../errors.ts';
import { firstRows, listingOf, type NamedListing } from '../lib/pages.ts';

/** The first rows of a list. @param limit undefined: all */
export async function namedListing<Row>(
  pages: AsyncIterable<readonly Row[]>,
  nameOf: (row: Row) => string,
  limit = Number.POSITIVE_INFINITY,
): Promise<NamedListing<Row>> {
  let next: string | undefined;
  const rows = firstRows(pages, limit, (last) => {
    next = writeCursor(nameOf(last));
  });
  return { ...(await listingOf(rows)), nextCursor: () => next };
}

/** A cursor encodes the last name of a page; it is opaque to callers. */
export function writeCursor(name: string): string {
  return Buffer.from(name, 'utf8').toString('base64url');
}

/**
 * The name that a page begins behind, '' for the first one.
 * @param list the endpoint that gives such cursors, for people
 * @throws Refusal `listCursor`
 */
export function nameBefore(cursor: string | undefined, list: string): string {
  if (cursor === undefined) return '';
  const name = Buffer.from(cursor, 'base64url').toString('utf8');
  // No name has U+0000, and PostgreSQL takes none.
  if (cursor !== '' && !name.includes('\0') && writeCursor(name) === cursor) return name;
  throw new Refusal('listCursor', { list });
}
