import type { Matcher } from '../matching/matcher.ts';
import type { GalleryStore } from '../store/store.ts';
import { type PeriodicLog, periodically } from './periodically.ts';

const everyMs = 60 * 1000;

/**
 * Frees the memory of galleries that another server erased: no call reaches them any more, but their templates would
 * stay until the memory is needed.
 */
export function forgetErasedGalleries(
  matcher: Pick<Matcher, 'cachedGalleries' | 'evict'>,
  galleries: Pick<GalleryStore, 'findErased'>,
  log: PeriodicLog,
): { stop(): Promise<void> } {
  const forget = async () => {
    const held = matcher.cachedGalleries();
    if (held.length === 0) return;
    for (const gallery of await galleries.findErased(held)) matcher.evict(gallery);
  };
  return periodically(forget, everyMs, log, 'erased galleries were not looked for');
}
