import type { Comparer } from '@wajah/engine';
import { OperatorError, Refusal } from '../../errors.ts';
import type { DuplicatePage, DuplicateParts, DuplicateQuery, DuplicateSearch } from './duplicates.ts';

type Parts = Omit<DuplicateParts, 'engine' | 'cohorts'>;

export type DuplicateAdministration = ReturnType<typeof createDuplicateAdministration>;

/**
 * The duplicates of a gallery, for the operator.
 * @param open the comparison of templates, of the pack that a server would run
 */
export function createDuplicateAdministration(parts: Parts, open: () => Promise<Comparer>) {
  let search: Promise<DuplicateSearch> | undefined;
  return {
    /** @throws OperatorError */
    async find(clientId: string, galleryId: string, query: DuplicateQuery): Promise<DuplicatePage> {
      const gallery = await parts.store.galleries.get(clientId, galleryId);
      if (!gallery) {
        throw new OperatorError(
          `facegallery_id: ${clientId} has no gallery ${JSON.stringify(galleryId)}; list its galleries`,
        );
      }
      search ??= prepare(parts, open);
      try {
        const never = new AbortController().signal;
        return await (await search)({ clientId, trxId: null }, gallery, query, never);
      } catch (error) {
        throw error instanceof Refusal ? new OperatorError(error.detail, { cause: error }) : error;
      }
    },
  };
}

/** Imported on use: most commands do not need the engine. */
async function prepare(parts: Parts, open: () => Promise<Comparer>): Promise<DuplicateSearch> {
  const { createDuplicateSearch } = await import('./duplicates.ts');
  // Statistics are renewed by servers.
  const cohorts = { renewIfStale: () => {}, renew: () => {} };
  return createDuplicateSearch({ ...parts, engine: await open(), cohorts });
}
