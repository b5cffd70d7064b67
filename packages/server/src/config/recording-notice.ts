import type { Config } from './config.ts';

/** What the start, `wajah doctor` and `/ready` say while sessions are recorded; the console says it in its own words. */
const recordingNotice =
  'Liveness sessions that are submitted with consent: true are recorded with their pictures (WAJAH_RECORD_SESSIONS): switch it off when you have measured.';

/** The notice as a list, empty where nothing is recorded. */
export function recordingNotices({ recording }: Pick<Config, 'recording'>): readonly string[] {
  return recording.on ? [recordingNotice] : [];
}
