import { cutFraction } from '@wajah/contract';
import type { RecordedScore } from '../../services/activity/activity-recorder.ts';

/** The scores and decisions in an answer. */
export interface Observed {
  readonly similarities: readonly RecordedScore[];
  readonly spoof: readonly RecordedScore[];
  /** Why the face was not accepted; null when it was, or when none was judged. */
  readonly denial: string | null;
}

type Fields = Readonly<Record<string, unknown>>;

export const nothingObserved: Observed = { similarities: [], spoof: [], denial: null };

/**
 * Reads the scores from the answer of any endpoint.
 * @param user whether the call names a user: without one, the verification fields of a batch mean nothing
 */
export function observedIn(answer: Fields, user = true): Observed {
  // Faces of a picture have scores; the long lists of `list-faces` are skipped.
  const detected = 'found' in answer ? entriesOf(answer['faces']) : [];
  const similarities = similaritiesIn(answer, detected, user);
  const faces = [answer, ...entriesOf(answer['results']), ...detected];
  const spoof = faces.flatMap((face) => {
    const value = face['spoof_score'];
    return typeof value === 'number' ? [{ value, accepted: face['is_spoof'] !== true }] : [];
  });
  return { similarities, spoof, denial: denialIn(answer, similarities[0]) };
}

/** The similarity of the answer, of each identified face, or of the first result. */
function similaritiesIn(answer: Fields, faces: readonly Fields[], user: boolean): RecordedScore[] {
  const identified = faces.flatMap(({ candidates }) => similarityIn({ return: candidates }) ?? []);
  if (identified.length > 0) return identified;
  const ofResults = user ? firstOf(entriesOf(answer['results']), similarityIn) : null;
  return [similarityIn(answer) ?? ofResults ?? []].flat();
}

function similarityIn(fields: Fields): RecordedScore | null {
  const { similarity: value, verified, return: people } = fields;
  // Answers without `verified` are of matching cards: others are refusals.
  if (typeof value === 'number') return { value, accepted: verified !== false };
  const best = firstOf(entriesOf(people), ({ confidence_level: level }) => level);
  return typeof best === 'number' ? { value: best, accepted: true } : null;
}

function denialIn(answer: Fields, similarity: RecordedScore | undefined): string | null {
  const { liveness, verified, reasons, match_status: match } = answer;
  if (liveness === 'failed') {
    const named = measured(answer['diagnostics']) ?? (Array.isArray(reasons) ? reasons : failedOf(match));
    return `liveness failed${named.length > 0 ? `: ${named.join('; ')}` : ''}`;
  }
  if (verified !== false) return null;
  return `not verified${similarity ? `: similarity ${cutFraction(similarity.value)}` : ''}`;
}

/** The reasons of a session with what was measured. */
function measured(diagnostics: unknown): string[] | undefined {
  if (!Array.isArray(diagnostics) || diagnostics.length === 0) return undefined;
  return entriesOf(diagnostics).map(({ name, detail }) => `${name}: ${detail}`);
}

/** The requirements that do not hold. */
function failedOf(match: unknown): string[] {
  if (typeof match !== 'object' || match === null) return [];
  return Object.entries(match).flatMap(([name, holds]) => (holds === false ? [name] : []));
}

/** The objects of a list or of a record, or the object itself. */
function entriesOf(value: unknown): Fields[] {
  if (typeof value !== 'object' || value === null) return [];
  const parts = Object.values(value).filter(
    (part): part is Fields => typeof part === 'object' && part !== null,
  );
  return Array.isArray(value) || parts.length > 0 ? parts : [value as Fields];
}

function firstOf<T>(entries: readonly Fields[], read: (entry: Fields) => T): T | null {
  for (const entry of entries) {
    const found = read(entry);
    if (found !== null && found !== undefined) return found;
  }
  return null;
}
