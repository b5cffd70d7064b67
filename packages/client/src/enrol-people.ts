import { type AnyWajahError, isWajahError } from './errors.ts';
import type { Gallery } from './gallery.ts';
import type { Picture } from './pictures.ts';

/** A person to enrol. */
export interface Enrolee {
  readonly user_id: string;
  readonly user_name: string;
  readonly pictures: readonly { readonly name: string; readonly image: Picture }[];
}

/** The outcome of one picture. */
export interface EnrolResult {
  readonly user_id: string;
  /** Name of the picture. */
  readonly picture: string;
  /**
   * `enrolled`: the person's first template; `added`: a further one; `skipped`: the person was enrolled already;
   * `failed`: refused with `error`.
   */
  readonly outcome: 'enrolled' | 'added' | 'skipped' | 'failed';
  readonly error?: AnyWajahError | Error;
}

export interface EnrolProgress {
  readonly done: number;
  readonly total: number;
  readonly result: EnrolResult;
}

export interface EnrolOptions {
  /** People enrolled concurrently. Default 2. */
  readonly concurrency?: number;
  /** Called after each picture. */
  readonly onProgress?: (progress: EnrolProgress) => void;
  /** Aborts the calls in progress; `enrolPeople` then throws the reason. */
  readonly signal?: AbortSignal;
  /** Replaces the templates of people who are enrolled already instead of skipping them. */
  readonly replace?: boolean;
  readonly force_register?: boolean;
  readonly check_quality?: boolean;
  readonly check_duplicate?: boolean;
  readonly check_single_face?: boolean;
}

export interface EnrolReport {
  /** One for each picture, in the order of `people`. */
  readonly results: readonly EnrolResult[];
  readonly count: Readonly<Record<EnrolResult['outcome'], number>>;
}

/** Refusals that every further call would get too. */
const fatalCodes = new Set(['unauthorized', 'denied', 'galleryNotFound', 'livenessNotProven']);

/**
 * Enrols people concurrently. People who are enrolled already are skipped, so an interrupted run can be repeated.
 * A refused picture is reported and does not end the run.
 *
 * @throws WajahError for a refusal that every further call would get too, and when the gallery cannot be listed
 */
export async function enrolPeople(
  gallery: Gallery,
  people: Iterable<Enrolee>,
  options: EnrolOptions = {},
): Promise<EnrolReport> {
  const { concurrency = 2, onProgress, signal, replace = false } = options;
  const queue = [...people];
  const enrolled = replace ? new Set<string>() : await enrolledIn(gallery, signal);
  const results: EnrolResult[][] = queue.map(() => []);
  const total = queue.reduce((sum, { pictures }) => sum + pictures.length, 0);
  let done = 0;
  let next = 0;
  let failed = false;
  const enrolNext = async () => {
    const index = next;
    next += 1;
    for await (const result of enrolOne(gallery, queue[index] as Enrolee, enrolled, options)) {
      results[index]?.push(result);
      done += 1;
      onProgress?.({ done, total, result });
      if (failed) return;
    }
  };
  const worker = async () => {
    try {
      while (next < queue.length && !failed) await enrolNext();
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  const workers = Array.from({ length: Math.max(1, concurrency) }, worker);
  // Every call has ended when this function does.
  await Promise.allSettled(workers);
  await Promise.all(workers);
  return reportOf(results.flat());
}

async function enrolledIn(gallery: Gallery, signal: AbortSignal | undefined): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const { user_id } of gallery.people({ signal })) ids.add(user_id);
  return ids;
}

async function* enrolOne(
  gallery: Gallery,
  { user_id: given, user_name, pictures }: Enrolee,
  enrolled: ReadonlySet<string>,
  { signal, replace = false, onProgress: _, concurrency: __, ...checks }: EnrolOptions,
): AsyncGenerator<EnrolResult> {
  const user_id = given.normalize('NFC').trim();
  let isEnrolled = false;
  let wasEnrolled = enrolled.has(user_id);
  for (const { name: picture, image } of pictures) {
    if (wasEnrolled) {
      yield { user_id, picture, outcome: 'skipped' };
      continue;
    }
    try {
      const mode = isEnrolled ? { append: true } : { replace };
      await gallery.enrol({ user_id, user_name, image, ...checks, ...mode }, { signal });
      yield { user_id, picture, outcome: isEnrolled ? 'added' : 'enrolled' };
      isEnrolled = true;
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof Error) || (isWajahError(error) && fatalCodes.has(error.code))) throw error;
      // Another program may have enrolled the person after the gallery was listed.
      wasEnrolled = isWajahError(error) && isSamePerson(error, user_id) && !isEnrolled;
      yield wasEnrolled
        ? { user_id, picture, outcome: 'skipped' }
        : { user_id, picture, outcome: 'failed', error };
    }
  }
}

/** Whether a 409 is about this user: one that names another user is about a duplicate face. */
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
