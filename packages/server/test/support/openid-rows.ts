import type { OpenidApp } from '../../src/features/openid/ports.ts';
import { createOpenidStore } from '../../src/features/openid/store.ts';
import type { Store } from '../../src/store/ports/store.ts';

const later = new Date(Date.now() + 3_600_000);

export const openidStore = (store: Store) => store.part('openid', createOpenidStore);

/** Adds an app of a client. */
export async function addApp(store: Store, app: Pick<OpenidApp, 'id' | 'clientId' | 'galleryId' | 'secret'>) {
  const more = { redirectUris: [], identify: false, idTokenAlg: 'RS256', createdAt: new Date() } as const;
  expectAdded(await openidStore(store).addApp({ ...more, ...app }, 9));
}

function expectAdded(added: boolean) {
  if (!added) throw new Error('the app was not added');
}

/** Adds what a sign-in of a person has left. */
export function addState(
  store: Store,
  { id, ...owner }: { id: string; app: string; clientId: string; galleryId: string; userId: string },
  payload: Uint8Array = Buffer.alloc(40),
) {
  const times = { expiresAt: later, consumedAt: later };
  return openidStore(store).put({ id, ...owner, grantId: 'grant', payload, ...times });
}
