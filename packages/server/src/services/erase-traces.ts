import type { SessionOwner, SessionPerson } from '../store/session-store.ts';
import type { ServiceDependencies } from './dependencies.ts';
import type { RecordingOwner } from './recordings/recorder.ts';

/** How much calls had left behind. */
interface Traces {
  readonly sessions: number;
  readonly frames: number;
  readonly recordings: number;
}

/**
 * Erases what calls left behind of a user, of all users of a gallery, or of a person in all galleries; to be called before
 * the faces are erased.
 * @param recorded as whom recorded sessions are found
 */
export async function eraseTraces(
  {
    store,
    events,
    recordings,
  }: Pick<ServiceDependencies, 'store' | 'recordings'> & {
    readonly events: Pick<ServiceDependencies['events'], 'forget'>;
  },
  owner: SessionOwner | SessionPerson,
  recorded: readonly RecordingOwner[] = 'galleryId' in owner && owner.galleryId ? [owner] : [],
): Promise<Traces> {
  await events.forget(owner);
  let erased = 0;
  for (const one of recorded) erased += await recordings.erase({ owner: one });
  // Before the sessions, by which those of a subject are found.
  const frames = await store.frames.forgetUser(owner);
  const sessions = await store.sessions.eraseOf(owner);
  return { sessions, frames, recordings: erased };
}
