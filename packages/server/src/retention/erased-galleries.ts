import type { Matcher } from '../matching/matcher.ts';
import type { GalleryStore } from '../store/store.ts';
import { type PeriodicLog, periodically } from './periodically.ts';

const everyMs = 60 * 1000;

/**
 * Frees the memory of galleries that another server erased: no call reaches them any more, but their templates would
 * stay until the memory is needed.
 */
export function forgetErasedGalleries(
  matcher: Pick<Matcher, 'held' | 'dropped'>,
  galleries: Pick<GalleryStore, 'erased'>,
  log: PeriodicLog,
): { stop(): Promise<void> } {
  const forget = async () => {
    const held = matcher.held();
    if (held.length === 0) return;
    for (const gallery of await galleries.erased(held)) matcher.dropped(gallery);
  };
  return periodically(forget, everyMs, log, 'erased galleries were not looked for');
}
