import { randomBytes, randomUUID } from 'node:crypto';
import type { Context } from '../../src/server/context.ts';
import { webhookStore, webhooksOf } from './webhooks.ts';

/** A liveness session of a user as one that was judged leaves it: with three remembered frames. */
export async function leaveSession(
  { store }: Pick<Context, 'store'>,
  owner: { readonly clientId: string; readonly galleryId: string; readonly userId: string },
): Promise<void> {
  const [id, at] = [randomUUID(), new Date()];
  const session = { id, ...owner, subject: null, at };
  const times = { createdAt: at, expiresAt: new Date(at.getTime() + 60_000) };
  await store.sessions.create({ ...session, ...times, steps: ['face front'], nonce: 'n' });
  await store.sessions.claim(owner.clientId, id, at);
  await store.sessions.markFailed(owner.clientId, id);
  await store.frames.record(session, { frames: 3, shapes: randomBytes(32) }, at);
}

/** An event about a user that waits for a webhook of the client. */
export async function leaveEvent(
  { store, features }: Pick<Context, 'store' | 'features'>,
  about: { readonly clientId: string; readonly galleryId: string; readonly userId: string },
) {
  await webhooksOf({ features }).create(about.clientId, 'https://example.com/', null);
  const event = { ...about, id: randomUUID(), type: 'face.verified', at: new Date(), limit: 10 } as const;
  await webhookStore(store).append([{ ...event, payload: JSON.stringify({ user_id: about.userId }) }]);
  return event;
}
