import { StoreUnavailable } from '../../errors.ts';
import type { Matcher } from '../../matching/ports.ts';
import type { LastSearch } from '../../store/ports/scores.ts';
import type { Store } from '../../store/ports/store.ts';
import type { ServiceParts } from '../parts.ts';
import { embeddingSpecText } from './embedding-spec.ts';

interface Parts extends ServiceParts<'engine'> {
  readonly store: Pick<Store, 'galleries' | 'scores'>;
  readonly matcher: Pick<Matcher, 'open'>;
  readonly log: { warn(fields: object, message: string): void };
}

/** Galleries read at a time. */
const PAGE = 200;

/**
 * Reads the galleries that were searched of late into memory, one after the other, those that were searched last first, as
 * many as the memory for galleries holds. Calls are answered meanwhile.
 * @returns `stop` ends it: at once, so that a large gallery does not hold up the end of the server
 */
export function openAhead(parts: Parts): { readonly done: Promise<void>; stop(): void } {
  const stopped = new AbortController();
  const failed = (error: unknown, gallery?: number) => {
    if (stopped.signal.aborted) return;
    parts.log.warn({ gallery, reason: String(error) }, 'a gallery was not read ahead');
  };
  const done = openAll(parts, stopped.signal, failed).catch((error: unknown) => failed(error));
  return { done, stop: () => stopped.abort() };
}

async function openAll(
  { store, matcher, engine }: Parts,
  signal: AbortSignal,
  failed: (error: unknown, gallery: number) => void,
): Promise<void> {
  const spec = embeddingSpecText(engine.embeddingSpec);
  for (const { gallery: id, clientId, galleryId } of await searched(store)) {
    if (signal.aborted) return;
    try {
      const gallery = await store.galleries.get(clientId, galleryId);
      if (gallery?.embeddingSpec !== spec || gallery.formerSpec !== null) continue;
      await matcher.open(gallery, engine.embeddingSpec.dimensions, signal);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      failed(error, id);
    }
  }
}

/** Galleries in the order of their last searches. */
async function searched({ scores }: Pick<Store, 'scores'>): Promise<LastSearch[]> {
  const all: (LastSearch & { readonly day: number })[] = [];
  for (let after = 0; ; ) {
    const page = await scores.lastSearches(after, PAGE);
    for (const { day, ...gallery } of page) if (day !== null) all.push({ ...gallery, day });
    if (page.length < PAGE) return all.sort((a, b) => b.day - a.day);
    after = page.at(-1)!.gallery;
  }
}
