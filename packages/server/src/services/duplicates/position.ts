import { Refusal } from '../../errors.ts';
import type { PairPage } from '../../matching/matcher.ts';
import type { GalleryRecord } from '../../store/store.ts';

/** A cursor encodes the gallery and the position reached in its pairs; it is opaque to callers. */
export function writePosition({ id }: Pick<GalleryRecord, 'id'>, at: PairPage['reached']): string {
  return Buffer.from(`${id} ${at.later} ${at.earlier}`).toString('base64url');
}

/** @throws Refusal `malformed` when it is none, or is of another gallery */
export function readPosition(
  { id }: Pick<GalleryRecord, 'id'>,
  cursor: string | undefined,
): PairPage['reached'] {
  if (cursor === undefined) return { later: 0, earlier: 0 };
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const [gallery, later, earlier] = /^\d{1,16} \d{1,10} \d{1,10}$/.test(text)
    ? text.split(' ').map(Number)
    : [];
  if (gallery === id && later !== undefined && earlier !== undefined) return { later, earlier };
  const found = gallery === undefined ? 'it is no cursor of find-duplicates' : 'it is of another gallery';
  throw new Refusal(
    'malformed',
    `cursor: ${found}; send that of the previous page, or none to begin with the first`,
  );
}
