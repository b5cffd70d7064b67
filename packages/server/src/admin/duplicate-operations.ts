import type { DuplicateAdministration } from '../services/duplicates/administration.ts';
import type { AdminInput } from './inputs.ts';

/** Operations on people who are enrolled twice. */
export function duplicateOperations(duplicates: Pick<DuplicateAdministration, 'find'>) {
  return {
    /** The next part of the pairs, about a second of work. */
    findDuplicates: async ({
      clientId,
      galleryId,
      cursor,
      expectedFalsePairs,
    }: AdminInput<'findDuplicates'>) => {
      const query = { cursor: cursor ?? undefined, expectedFalsePairs: expectedFalsePairs ?? undefined };
      const { pairs, ...page } = await duplicates.find(clientId, galleryId, query);
      const plain = pairs.map(({ users, ...pair }) => ({
        ...pair,
        users: users.map((user) => ({ ...user, createdAt: user.createdAt.toISOString() })),
      }));
      return { ...page, pairs: plain };
    },
  };
}
