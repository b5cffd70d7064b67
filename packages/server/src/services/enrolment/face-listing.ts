import { Buffer } from 'node:buffer';
import type { ListFacesRequest } from '@wajah/contract';
import { Refusal } from '../../errors.ts';
import { expiryOf, noTerms } from '../../store/person-store.ts';
import type { FaceRecord, GalleryRecord, Store } from '../../store/store.ts';
import type { Caller } from '../caller.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { galleryOf } from '../galleries/lookup.ts';

/** Faces read at once by a text search. */
const batchSize = 1000;

/** Lists the users of a gallery, ordered by user_id: all, a page, or those whose user_id or user_name contains a text. */
export function createFaceListing({ store }: Pick<ServiceDependencies, 'store'>) {
  return async (caller: Caller, { facegalleryId, limit, cursor, search, details }: ListFacesRequest) => {
    const gallery = await galleryOf(store, caller, facegalleryId);
    const after = cursor === undefined ? '' : readCursor(cursor);
    // One more than requested shows whether there is a next page.
    const count = limit === undefined ? undefined : limit + 1;
    const read = (from: string, most: number | undefined) =>
      store.faces.list(gallery.id, { after: from, ...(most === undefined ? {} : { limit: most }) });
    const found =
      search === undefined
        ? await read(after, count)
        : await searchText(read, after, search, count ?? Number.POSITIVE_INFINITY, caller.signal);
    const faces = await withTerms(store, gallery, found.slice(0, limit), details === true);
    const last = faces.at(-1);
    const more = found.length > faces.length && last !== undefined;
    return { faces, nextCursor: more ? writeCursor(last.userId) : undefined };
  };
}

/** Consent, end of storage and suspension of each, where they are asked for. */
async function withTerms(
  { people }: Pick<Store, 'people'>,
  { id, retentionDays }: GalleryRecord,
  faces: readonly FaceRecord[],
  wanted: boolean,
) {
  const [first, last] = [faces[0], faces.at(-1)];
  if (!wanted || !first || !last) return faces.map((face) => ({ ...face, terms: undefined }));
  const stored = await people.list(id, first.userId, last.userId);
  return faces.map((face) => {
    const terms = stored.get(face.userId) ?? noTerms;
    return { ...face, terms: { ...terms, expiry: expiryOf(face.createdAt, retentionDays, terms) } };
  });
}

type Read = (after: string, limit: number) => Promise<FaceRecord[]>;

/** Reads the gallery in batches until `most` matches are found or the caller disconnects. */
async function searchText(
  read: Read,
  from: string,
  text: string,
  most: number,
  signal: Caller['signal'],
): Promise<FaceRecord[]> {
  const needle = caseFolded(text);
  const matches = ({ userId, userName }: FaceRecord) =>
    caseFolded(userId).includes(needle) || caseFolded(userName).includes(needle);
  const found: FaceRecord[] = [];
  for (let after = from; found.length < most && !signal.aborted; ) {
    const faces = await read(after, batchSize);
    found.push(...faces.filter(matches));
    const last = faces.at(-1);
    if (faces.length < batchSize || !last) break;
    after = last.userId;
  }
  return found.slice(0, most);
}

/** For comparison without regard to case and Unicode composition. */
function caseFolded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** A cursor encodes the last user_id of a page; it is opaque to callers. */
function writeCursor(userId: string): string {
  return Buffer.from(userId, 'utf8').toString('base64url');
}

function readCursor(cursor: string): string {
  const userId = Buffer.from(cursor, 'base64url').toString('utf8');
  if (cursor !== '' && writeCursor(userId) === cursor) return userId;
  throw new Refusal('facesCursor');
}
