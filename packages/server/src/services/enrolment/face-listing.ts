import { Buffer } from 'node:buffer';
import { Refusal } from '../../errors.ts';
import type { FaceRecord } from '../../store/store.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { galleryOf } from '../galleries/lookup.ts';
import type { Caller, EnrolmentService } from '../services.ts';

/** People read at once when some are looked for. */
const slice = 1000;

/** Who is in a gallery, by user_id: all, a page of them, or those whose id or name holds a text. */
export function createFaceListing({ store }: Pick<ServiceDependencies, 'store'>): EnrolmentService['list'] {
  return async (caller, { galleryId, limit, cursor, search }) => {
    const gallery = await galleryOf(store, caller, galleryId);
    const after = cursor === undefined ? '' : readCursor(cursor);
    // One more than asked for tells whether there is a next page.
    const most = limit === undefined ? undefined : limit + 1;
    const read = (from: string, count: number | undefined) =>
      store.faces.list(gallery.id, { after: from, ...(count === undefined ? {} : { limit: count }) });
    const found =
      search === undefined
        ? await read(after, most)
        : await searched(read, after, search, most ?? Number.POSITIVE_INFINITY, caller.signal);
    const faces = found.slice(0, limit).map(({ userId, userName }) => ({ userId, userName }));
    const last = faces.at(-1);
    const more = found.length > faces.length && last !== undefined;
    return { faces, nextCursor: more ? writeCursor(last.userId) : undefined };
  };
}

type Read = (after: string, limit: number) => Promise<FaceRecord[]>;

/** Goes through the gallery until enough are found, or the caller went away. */
async function searched(
  read: Read,
  from: string,
  text: string,
  most: number,
  signal: Caller['signal'],
): Promise<FaceRecord[]> {
  const needle = folded(text);
  const holds = ({ userId, userName }: FaceRecord) =>
    folded(userId).includes(needle) || folded(userName).includes(needle);
  const found: FaceRecord[] = [];
  for (let after = from; found.length < most && !signal.aborted; ) {
    const people = await read(after, slice);
    found.push(...people.filter(holds));
    const last = people.at(-1);
    if (people.length < slice || !last) break;
    after = last.userId;
  }
  return found.slice(0, most);
}

/** Upper and lower case are one, however the letters are put together. */
function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** A cursor is the last user_id of a page; callers pass it back and need not know. */
function writeCursor(userId: string): string {
  return Buffer.from(userId, 'utf8').toString('base64url');
}

function readCursor(cursor: string): string {
  const userId = Buffer.from(cursor, 'base64url').toString('utf8');
  if (cursor !== '' && writeCursor(userId) === cursor) return userId;
  throw new Refusal(
    'malformed',
    'cursor: it is not one that a list answered; send the cursor of the page before, or none for the first page',
  );
}
