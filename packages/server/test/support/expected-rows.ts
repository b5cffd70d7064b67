import { createExpectedStore } from '../../src/features/expected/store.ts';
import type { Store } from '../../src/store/ports/store.ts';

export const expectedStore = (store: Store) => store.part('expected', createExpectedStore);

/** Adds a person to the list of a gallery (internal number), with a link. */
export async function addExpected(store: Store, gallery: number, userId: string): Promise<void> {
  const expected = expectedStore(store);
  await expected.set(gallery, [{ userId, userName: `name of ${userId}` }], true, 9);
  const at = new Date();
  const consent = { reference: 'form 7', purpose: 'entry', givenAt: at, until: at };
  await expected.putLink(gallery, {
    userId,
    sessionId: `link of ${gallery} ${userId}`,
    expiresAt: at,
    consent,
  });
}
