import type { RequestOf } from '@wajah/contract';
import type { FeatureCore } from '../../feature.ts';
import { dayMs } from '../../lib/time.ts';
import type { Caller } from '../../services/caller.ts';
import { keepsCrops } from '../../services/galleries/lookup.ts';
import type { EventCount } from '../../store/ports/audit.ts';
import type { GalleryRecord } from '../../store/ports/galleries.ts';
import { frameHours } from '../../store/session-store.ts';

/**
 * The records of processing of one client, as far as Wajah knows it: what for, of whom, which data, for whom, how long,
 * and how often. Contacts, legal ground and transfers are the controller's to add (docs/dpia.md). By default of the last
 * year.
 */
export async function processingRecords(
  { store, config, traces, features }: Pick<FeatureCore, 'store' | 'config' | 'traces' | 'features'>,
  { clientId }: Caller,
  request: RequestOf<'getProcessingRecords'>,
) {
  const to = request.to === undefined ? new Date() : new Date(request.to);
  const from = request.from === undefined ? new Date(to.getTime() - 365 * dayMs) : new Date(request.from);
  const [galleries, purposes, counts, tokens] = await Promise.all([
    store.galleries.list(clientId),
    store.people.purposes(clientId),
    store.audit.counts({ clientId, from, to }),
    store.tokens.list(clientId),
  ]);
  const names = new Set(galleries.map(({ galleryId }) => galleryId));
  const described = galleries.map(({ galleryId, faces, requireConsent, retentionDays }) => {
    const own = purposes.filter((one) => one.galleryId === galleryId);
    const consents = own.reduce((sum, { people }) => sum + people, 0);
    return {
      galleryId,
      people: faces,
      requireConsent,
      retentionDays,
      purposes: own.map(({ purpose, people }) => ({ purpose, people })),
      withoutConsent: faces - consents,
      counts: counts.filter((one) => one.galleryId === galleryId).map(countOf),
    };
  });
  const others = counts.filter(({ galleryId }) => galleryId === null || !names.has(galleryId));
  const now = new Date();
  const valid = tokens.filter(({ revokedAt, expiresAt }) => !revokedAt && (!expiresAt || expiresAt > now));
  return {
    clientId,
    from,
    to,
    galleries: described,
    otherCounts: summed(others),
    recipients: valid.map(({ name, scopes, createdAt, lastUsedAt }) => ({
      name,
      scopes,
      createdAt,
      lastUsedAt,
    })),
    categories: categoriesOf({ config, traces, features }, galleries),
  };
}

/** Calls of a month that were recorded under an event. */
const countOf = ({ month, event, count }: EventCount) => ({ month, event, count });

/** Of galleries that no longer exist, and of no gallery, together. */
function summed(counts: readonly EventCount[]) {
  const sums = new Map<string, ReturnType<typeof countOf>>();
  for (const { month, event, count } of counts) {
    const key = `${month} ${event}`;
    sums.set(key, { month, event, count: count + (sums.get(key)?.count ?? 0) });
  }
  return [...sums.values()];
}

const enrolled = 'enrolled people';
const shown = 'people before a camera';
const withPerson = 'with the person, the gallery or the client';

function categoriesOf(
  { config, traces, features }: Pick<FeatureCore, 'config' | 'traces' | 'features'>,
  galleries: readonly GalleryRecord[],
) {
  const { auditDays } = config;
  const crops = galleries.some((gallery) => keepsCrops(config, gallery));
  const always = { kept: true } as const;
  return [
    {
      ...always,
      data: 'face templates (specific personal data: biometric), sealed',
      of: enrolled,
      erased: withPerson,
    },
    {
      ...always,
      data: 'user_id, user_name, consent, retention and suspension',
      of: enrolled,
      erased: withPerson,
    },
    { data: 'face crops, sealed', of: enrolled, kept: crops, erased: withPerson },
    { data: 'pictures of calls', of: shown, kept: false, erased: 'after the answer' },
    { ...always, data: 'liveness sessions', of: shown, erased: 'an hour after they expired' },
    {
      data: 'traces of frames of passed sessions, sealed',
      of: shown,
      kept: true,
      erased: `after ${frameHours} hours`,
    },
    ...traces.map(({ category }) => category),
    ...features.flatMap(({ category }) => category?.(galleries) ?? []),
    {
      ...always,
      data: 'audit trail, without names of people',
      of: 'nobody by name',
      erased: auditDays === 0 ? 'never' : `after ${auditDays} days`,
    },
  ];
}
