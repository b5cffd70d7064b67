import { randomBytes, randomUUID } from 'node:crypto';
import type { Context } from '../../src/server/context.ts';

/** A liveness session of a user as one that was judged leaves it: with three remembered frames, and recorded. */
export async function leaveSession(
  { store, recordings }: Pick<Context, 'store' | 'recordings'>,
  owner: { readonly clientId: string; readonly galleryId: string; readonly userId: string },
): Promise<void> {
  const [id, at] = [randomUUID(), new Date()];
  const session = { id, ...owner, subject: null, at };
  const times = { createdAt: at, expiresAt: new Date(at.getTime() + 60_000) };
  await store.sessions.create({ ...session, ...times, steps: ['face front'], lights: null, nonce: 'n' });
  await store.sessions.claim(owner.clientId, id, at);
  await store.sessions.markFailed(owner.clientId, id);
  const frame = () => ({ digest: randomBytes(32), hash: null, detail: null });
  await store.frames.record(session, [frame(), frame(), frame()], at);
  const judgement = {
    ...{ pack: 'p', steps: ['face front'], device: null, passed: false, reasons: [], spoofScore: null },
    ...{ spoofThreshold: 1, similarity: null, light: null, lights: null, frames: [] },
  };
  recordings.record({ ...session, owners: [owner], images: ['/9j/'], judgement });
  await recordings.settled();
}
