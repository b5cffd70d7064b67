import type { RecordingOwner } from '../recordings/recorder.ts';
import type { PersonName } from './parts.ts';

/** As what a person may own recorded sessions: as a subject of this name, and as the user of each gallery. */
export function recordingOwners(
  { clientId, userId }: PersonName,
  galleryIds: readonly string[],
): RecordingOwner[] {
  const users = galleryIds.map((galleryId) => ({ clientId, galleryId, userId }));
  return [{ clientId, subject: userId }, ...users];
}
