import { Buffer } from 'node:buffer';
import { Refusal } from '../../errors.ts';
import { dayMs } from '../../lib/time.ts';
import type { ExpiringPerson, ExpiringQuery } from '../../store/person-store.ts';
import type { Store } from '../../store/store.ts';

interface ListQuery {
  /** Null: of all clients. */
  readonly clientId: string | null;
  readonly galleryId?: string | undefined;
  readonly days: number;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** People who are erased within some days. @throws Refusal `malformed` for a cursor of elsewhere */
export async function listExpiring(
  { store }: { readonly store: Pick<Store, 'people'> },
  { clientId, galleryId, days, limit, cursor }: ListQuery,
) {
  const until = new Date(Date.now() + days * dayMs);
  const after = cursor === undefined ? undefined : readCursor(cursor);
  // One more than requested shows whether there is a next page.
  const query = { until, clientId: clientId ?? undefined, galleryId, limit: limit + 1, after };
  const found = await store.people.expiring(query);
  const people = found.slice(0, limit);
  const last = people.at(-1);
  return { until, people, nextCursor: last && found.length > limit ? writeCursor(last) : undefined };
}

function writeCursor({ expiresAt, gallery, userId }: ExpiringPerson): string {
  return Buffer.from(JSON.stringify([expiresAt.getTime(), gallery, userId])).toString('base64url');
}

function readCursor(cursor: string): ExpiringQuery['after'] {
  try {
    const [at, gallery, userId] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[];
    if (Number.isSafeInteger(at) && Number.isSafeInteger(gallery) && typeof userId === 'string') {
      return { expiresAt: new Date(at as number), gallery: gallery as number, userId };
    }
  } catch {}
  throw new Refusal(
    'malformed',
    'cursor: it is no next_cursor of list-expiring; send that of the previous page, or none for the first page',
  );
}
