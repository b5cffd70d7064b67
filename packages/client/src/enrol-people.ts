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
  /** Enrols faces below the minimum size, and pictures that differ from the person's others. */
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

/** A face that differs from those that the person is enrolled with. */
const otherFace = 'notRecognized';

/** Refusals that every further call would get too. */
const fatalCodes = new Set(['unauthorized', 'denied', 'galleryNotFound', 'livenessNotProven']);

/**
 * Enrols people concurrently. People who are enrolled already are skipped, so an interrupted run can be repeated.
 * A refused picture is reported and does not end the run. Of a user_id with different names nobody is enrolled, and
 * nobody whose pictures do not show the same face, more than half of them: of two that differ either may be of somebody
 * else. A person who was replaced keeps those that match the first.
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
  const shared = sharedIds(queue);
  const enrolled = replace ? new Set<string>() : await enrolledIn(gallery, signal);
  const results: EnrolResult[][] = queue.map(() => []);
  const total = queue.reduce((sum, { pictures }) => sum + pictures.length, 0);
  let done = 0;
  let next = 0;
  let failed = false;
  const enrolNext = async () => {
    const index = next;
    next += 1;
    const person = queue[index] as Enrolee;
    const problem = shared.get(normalised(person.user_id));
    const sent: EnrolResult[] = problem ? failures(person, problem) : [];
    if (!problem) {
      for await (const result of enrolOne(gallery, person, enrolled, options)) {
        sent.push(result);
        if (failed) break;
      }
    }
    for (const result of replace || failed ? sent : await withoutDoubt(gallery, sent, signal)) {
      results[index]?.push(result);
      done += 1;
      onProgress?.({ done, total, result });
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

const normalised = (userId: string) => userId.normalize('NFC').trim();
const folded = (name: string) => name.normalize('NFC').trim().toLowerCase().replace(/\s+/g, ' ');

/** The sentence about each user_id that people of different names have. */
function sharedIds(people: readonly Enrolee[]): Map<string, string> {
  const names = new Map<string, Map<string, string>>();
  for (const { user_id, user_name } of people) {
    const ofId = names.get(normalised(user_id)) ?? new Map<string, string>();
    names.set(normalised(user_id), ofId.set(folded(user_name), user_name));
  }
  const shared = [...names].filter(([, { size }]) => size > 1);
  return new Map(
    shared.map(([id, ofId]) => [
      id,
      `user_id ${JSON.stringify(id)} has different names (${[...ofId.values()].map((name) => JSON.stringify(name)).join(', ')}); none of them is enrolled`,
    ]),
  );
}

function failures({ user_id, pictures }: Enrolee, problem: string): EnrolResult[] {
  const of = { user_id: normalised(user_id), outcome: 'failed', error: new Error(problem) } as const;
  return pictures.map(({ name }) => ({ ...of, picture: name }));
}

/** Removes a person of whose pictures not more than half match: the first, which others are compared with, may be wrong. */
async function withoutDoubt(
  gallery: Gallery,
  results: readonly EnrolResult[],
  signal: AbortSignal | undefined,
): Promise<readonly EnrolResult[]> {
  const taken = results.filter(({ outcome }) => outcome === 'enrolled' || outcome === 'added');
  const differing = results.filter(({ error }) => isWajahError(error) && error.code === otherFace);
  const [first] = taken;
  if (!first || differing.length < taken.length || differing.length === 0) return results;
  await gallery.remove(first.user_id, { signal });
  const names = differing.map(({ picture }) => picture).join(', ');
  const error = new Error(`other pictures of this person show another face (${names}); none is enrolled`);
  return results.map((one) => (taken.includes(one) ? { ...one, outcome: 'failed', error } : one));
}

async function enrolledIn(gallery: Gallery, signal: AbortSignal | undefined): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const { user_id } of gallery.people({ signal })) ids.add(user_id);
  return ids;
}

async function* enrolOne(
  gallery: Gallery,
  { user_id: listed, user_name, pictures }: Enrolee,
  enrolled: ReadonlySet<string>,
  { signal, replace = false, onProgress: _, concurrency: __, ...checks }: EnrolOptions,
): AsyncGenerator<EnrolResult> {
  const user_id = normalised(listed);
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
