import type { SessionOwner } from '../store/session-store.ts';
import type { ServiceDependencies } from './dependencies.ts';

/** Erases what calls left behind of a user or of all users of a gallery; to be called before the faces are erased. */
export async function eraseTraces(
  { store, activity, recordings }: Pick<ServiceDependencies, 'store' | 'activity' | 'recordings'>,
  owner: SessionOwner,
): Promise<void> {
  await activity.forget(owner);
  await recordings.erase({ owner });
  await store.frames.forgetUser(owner);
  await store.sessions.eraseOf(owner);
}
