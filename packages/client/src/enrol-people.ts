import { type AnyWajahError, isWajahError } from './errors.ts';
import type { Gallery } from './gallery.ts';
import type { Picture } from './pictures.ts';

/** Somebody to enrol, with one picture or several. */
export interface Newcomer {
  readonly user_id: string;
  readonly user_name: string;
  readonly pictures: readonly { readonly name: string; readonly image: Picture }[];
}

/** What became of a picture. */
export interface EnrolResult {
  readonly user_id: string;
  /** The picture, by its name. */
  readonly picture: string;
  /**
   * `enrolled` — the person's first · `added` — a further one of the same person · `skipped` — the person was
   * enrolled already · `failed` — refused, and `error` says why.
   */
  readonly outcome: 'enrolled' | 'added' | 'skipped' | 'failed';
  readonly error?: AnyWajahError | Error;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly result: EnrolResult;
}

export interface EnrolOptions {
  /** How many people are enrolled at a time. Default 2. */
  readonly concurrency?: number;
  /** Called after each picture. */
  readonly onProgress?: (progress: Progress) => void;
  /** Ends the work: what is under way is given up, and `enrolPeople` throws the reason. */
  readonly signal?: AbortSignal;
  /** Replaces who is enrolled already instead of skipping. */
  readonly replace?: boolean;
  readonly force_register?: boolean;
  readonly check_quality?: boolean;
  readonly check_duplicate?: boolean;
}

export interface EnrolReport {
  /** In the order of the people given, one for each picture. */
  readonly results: readonly EnrolResult[];
  readonly count: Readonly<Record<EnrolResult['outcome'], number>>;
}

/** Refusals that every further call would meet, too. */
const hopeless = new Set(['unauthorized', 'denied', 'galleryNotFound', 'livenessNotProven']);

/**
 * Enrols people, several at a time. Who is enrolled already is skipped, so it can be run again after it was ended.
 * A picture that is refused is reported and does not end the work; what every picture would meet does.
 *
 * @throws WajahError when no further call can succeed, or the gallery cannot be listed
 */
export async function enrolPeople(
  gallery: Gallery,
  people: Iterable<Newcomer>,
  options: EnrolOptions = {},
): Promise<EnrolReport> {
  const { concurrency = 2, onProgress, signal, replace = false } = options;
  const waiting = [...people];
  const known = replace ? new Set<string>() : await enrolledIn(gallery, signal);
  const results: EnrolResult[][] = waiting.map(() => []);
  const total = waiting.reduce((sum, { pictures }) => sum + pictures.length, 0);
  let done = 0;
  let next = 0;
  const work = async () => {
    while (next < waiting.length) {
      const index = next;
      next += 1;
      for await (const result of enrolOne(gallery, waiting[index] as Newcomer, known, options)) {
        results[index]?.push(result);
        done += 1;
        onProgress?.({ done, total, result });
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.max(1, concurrency) }, work));
  } finally {
    next = waiting.length;
  }
  return reportOf(results.flat());
}

async function enrolledIn(gallery: Gallery, signal: AbortSignal | undefined): Promise<Set<string>> {
  const known = new Set<string>();
  for await (const { user_id } of gallery.people({ signal })) known.add(user_id);
  return known;
}

async function* enrolOne(
  gallery: Gallery,
  { user_id: given, user_name, pictures }: Newcomer,
  known: ReadonlySet<string>,
  { signal, replace = false, onProgress: _, concurrency: __, ...checks }: EnrolOptions,
): AsyncGenerator<EnrolResult> {
  const user_id = given.normalize('NFC').trim();
  let isIn = false;
  let wasIn = known.has(user_id);
  for (const { name: picture, image } of pictures) {
    if (wasIn) {
      yield { user_id, picture, outcome: 'skipped' };
      continue;
    }
    try {
      const how = isIn ? { append: true } : { replace };
      await gallery.enrol({ user_id, user_name, image, ...checks, ...how }, { signal });
      yield { user_id, picture, outcome: isIn ? 'added' : 'enrolled' };
      isIn = true;
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof Error) || (isWajahError(error) && hopeless.has(error.code))) throw error;
      // Somebody else enrolled the person after the gallery was listed.
      wasIn = isWajahError(error) && isSamePerson(error, user_id) && !isIn;
      yield wasIn ? { user_id, picture, outcome: 'skipped' } : { user_id, picture, outcome: 'failed', error };
    }
  }
}

/** A 409 that names another user is a duplicate face. */
function isSamePerson(error: AnyWajahError, user_id: string): boolean {
  if (error.status !== '409') return false;
  const other = error.answer['duplicate_user_id'];
  return other === undefined || other === user_id;
}

function reportOf(results: readonly EnrolResult[]): EnrolReport {
  const count = { enrolled: 0, added: 0, skipped: 0, failed: 0 };
  for (const { outcome } of results) count[outcome] += 1;
  return { results, count };
}
