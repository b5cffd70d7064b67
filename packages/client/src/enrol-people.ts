import { sleep } from './abort.ts';
import { type AnyWajahError, isWajahError, type WajahError } from './errors.ts';
import type { Gallery, Person } from './gallery.ts';
import {
  EnrolError,
  type Enrolee,
  type EnroleePicture,
  groupPeople,
  type IdReading,
  otherPerson,
} from './people.ts';
import type { Picture } from './pictures.ts';
import type { EnrolFaceRequest } from './wire.ts';

/** The outcome of one picture. */
export interface EnrolResult {
  readonly user_id: string;
  readonly user_name: string;
  /** Name of the picture. */
  readonly picture: string;
  /**
   * `enrolled`: the person's first template; `added`: a further one; `skipped`: the person was enrolled already;
   * `failed`: refused with `error`.
   */
  readonly outcome: 'enrolled' | 'added' | 'skipped' | 'failed';
  /** A person who was skipped is suspended. */
  readonly suspended?: boolean;
  /** An EnrolError where no server has refused it. */
  readonly error?: AnyWajahError | Error;
}

export interface EnrolProgress {
  readonly done: number;
  readonly total: number;
  readonly result: EnrolResult;
}

/** A set of user_ids; a Set is one. */
interface UserIds {
  has(userId: string): boolean;
  add(userId: string): unknown;
  delete(userId: string): unknown;
}

export interface EnrolOptions extends IdReading {
  /** People enrolled concurrently. Default 2. */
  readonly concurrency?: number;
  /** Called with each picture, after the last one of its person. */
  readonly onProgress?: (progress: EnrolProgress) => void;
  /** Called before a call is repeated, with its failure. */
  readonly onWait?: (failure: WajahError) => void;
  /** Aborts the calls in progress; `enrolPeople` then throws the reason. */
  readonly signal?: AbortSignal;
  /** Replaces the templates of people who are enrolled already instead of skipping them. */
  readonly replace?: boolean;
  /** Enrols faces below the minimum size, and pictures that differ from the person's others. */
  readonly force_register?: boolean;
  readonly check_quality?: boolean;
  readonly check_duplicate?: boolean;
  readonly check_single_face?: boolean;
  /**
   * The user_ids whose pictures were not all sent. Kept between runs into one gallery, it has an interrupted run resumed:
   * these people are enrolled again from their first picture on, although they are enrolled already.
   */
  readonly unfinished?: UserIds;
  /** Time in which a server that restarts, is busy or limits the rate is called again, milliseconds. Default 5 minutes. */
  readonly waitMs?: number;
}

export interface EnrolReport {
  /** One for each picture, in the order of `people`. */
  readonly results: readonly EnrolResult[];
  readonly count: Readonly<Record<EnrolResult['outcome'], number>>;
}

/** Refusals that every further call would get too, and after which nothing of this one was stored. */
const refusalCodes = ['unauthorized', 'denied', 'galleryNotFound', 'livenessNotProven'];
const fatalCodes = new Set([...refusalCodes, 'serverError']);

/** A picture with its outcome. */
type Sent = readonly [picture: EnroleePicture, result: EnrolResult];

type IfExists = NonNullable<EnrolFaceRequest['if_exists']>;

interface Run {
  readonly gallery: Gallery;
  readonly options: EnrolOptions;
  /** Those who are enrolled already, by user_id. */
  readonly enrolled: ReadonlyMap<string, Person>;
  readonly unfinished: UserIds;
  /** Another person's enrolment has ended the run. */
  failed: boolean;
}

/**
 * Enrols people concurrently. People who are enrolled already are skipped, so an interrupted run can be repeated.
 * A refused picture is reported and does not end the run. Of a user_id with different names or consents nobody is enrolled, also where
 * the gallery has another name for it, and none that a spreadsheet has damaged; and nobody whose pictures do not show the
 * same face, more than half of them: of two that differ either may be of somebody else. A person who was replaced keeps
 * those that match the first.
 *
 * @throws WajahError for a refusal that every further call would get too, when the gallery cannot be listed, and when the
 *   server does not answer in `waitMs`
 */
export async function enrolPeople(
  gallery: Gallery,
  people: Iterable<Enrolee>,
  options: EnrolOptions = {},
): Promise<EnrolReport> {
  const { concurrency = 2, onProgress, signal, replace = false, unfinished = new Set() } = options;
  // A picture that is listed twice has two results.
  const listed = [...people].map((person) => ({
    ...person,
    pictures: person.pictures.map((picture) => ({ ...picture })),
  }));
  const pictures = listed.flatMap((person) => person.pictures);
  const results = new Map<EnroleePicture, EnrolResult>();
  const add = (sent: readonly Sent[]) => {
    for (const [picture, result] of sent) {
      results.set(picture, result);
      onProgress?.({ done: results.size, total: pictures.length, result });
    }
  };
  const { people: queue, refused } = groupPeople(listed, options);
  for (const { person, error } of refused) add(outcomesOf(person, { outcome: 'failed', error }));
  const enrolled = replace ? new Map<string, Person>() : await enrolledIn(gallery, signal);
  const run: Run = { gallery, options, enrolled, unfinished, failed: false };
  const rest = queue.values();
  const worker = async () => {
    try {
      for (const person of rest) {
        if (run.failed) return;
        add(await enrolPerson(run, person));
      }
    } catch (error) {
      run.failed = true;
      throw error;
    }
  };
  const workers = Array.from({ length: Math.max(1, concurrency) }, worker);
  // Every call has ended when this function does.
  await Promise.allSettled(workers);
  await Promise.all(workers);
  return reportOf(pictures.flatMap((picture) => results.get(picture) ?? []));
}

async function enrolledIn(gallery: Gallery, signal: AbortSignal | undefined): Promise<Map<string, Person>> {
  const people = new Map<string, Person>();
  for await (const person of gallery.people({ signal, pageSize: 10_000, details: true }))
    people.set(person.user_id, person);
  return people;
}

function outcomesOf(
  { user_id, user_name, pictures }: Enrolee,
  outcome: Pick<EnrolResult, 'outcome' | 'error' | 'suspended'>,
): Sent[] {
  return pictures.map((picture) => [picture, { user_id, user_name, picture: picture.name, ...outcome }]);
}

async function enrolPerson(run: Run, person: Enrolee): Promise<Sent[]> {
  const { unfinished, enrolled, options } = run;
  const { user_id } = person;
  const isUnfinished = unfinished.has(user_id);
  const found = enrolled.get(user_id);
  if (found && !isUnfinished) {
    const error = otherPerson(found.user_name, person);
    const suspended = typeof found.suspended_at === 'string';
    return outcomesOf(person, error ? { outcome: 'failed', error } : { outcome: 'skipped', suspended });
  }
  unfinished.add(user_id);
  const sent = await sendPictures(run, person, options.replace === true || isUnfinished);
  if (run.failed) return sent;
  const settled = options.replace ? sent : await withoutDoubt(run, sent);
  unfinished.delete(user_id);
  return settled;
}

/**
 * Sends the pictures of a person one after the other; the server compares each with those before. When an answer is lost,
 * the person is enrolled again from the first picture on: a picture that is appended twice would count twice.
 */
async function sendPictures(run: Run, person: Enrolee, replace: boolean): Promise<Sent[]> {
  const { waitMs = 5 * 60_000, signal, onWait } = run.options;
  const sent: Sent[] = [];
  let ifExists: IfExists = replace ? 'replace' : 'refuse';
  for (let giveUpAt = Date.now() + waitMs; sent.length < person.pictures.length && !run.failed; ) {
    const picture = person.pictures[sent.length]!;
    try {
      const outcome = await sendPicture(run, person, picture, ifExists);
      if (outcome.outcome === 'skipped') return outcomesOf(person, outcome);
      if (outcome.outcome !== 'failed') ifExists = 'append';
      sent.push([picture, outcome]);
      giveUpAt = Date.now() + waitMs;
    } catch (error) {
      signal?.throwIfAborted();
      // Nothing is stored: whom another program enrols before the next run, that run must not replace.
      const isNew = ifExists === 'refuse';
      if (isNew && isWajahError(error) && refusalCodes.includes(error.code))
        run.unfinished.delete(person.user_id);
      if (!isWajahError(error) || !error.retryable || Date.now() > giveUpAt) throw error;
      const isRefused = error.status === '429' || error.status === '503';
      if (!isRefused) {
        sent.length = 0;
        ifExists = 'replace';
      }
      onWait?.(error);
      await sleep(delayAfter(error), signal ?? new AbortController().signal);
    }
  }
  return sent;
}

/** Milliseconds. */
function delayAfter({ retryAfterMs = 1000 }: WajahError): number {
  return Math.min(60_000, Math.max(100, retryAfterMs));
}

/** @throws what ends the enrolment, and what may pass: WajahError that is `retryable` */
async function sendPicture(
  { gallery, options }: Run,
  { pictures: _, place: __, ...person }: Enrolee,
  { name, image }: EnroleePicture,
  ifExists: IfExists,
): Promise<EnrolResult> {
  const { force_register, check_quality, check_duplicate, check_single_face, signal } = options;
  const checks = { force_register, check_quality, check_duplicate, check_single_face };
  const { user_id, user_name } = person;
  const of = { user_id, user_name, picture: name };
  try {
    const picture = typeof image === 'function' ? await read(image) : image;
    const fields = { ...person, image: picture, ...checks, if_exists: ifExists };
    const { same_picture } = await gallery.enrol(fields, { signal });
    if (same_picture)
      throw new EnrolError('samePicture', 'it is one of the pictures that this person has; it counts once');
    return { ...of, outcome: ifExists === 'append' ? 'added' : 'enrolled' };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof Error)) throw error;
    if (!isWajahError(error)) return { ...of, outcome: 'failed', error };
    if (error.retryable || fatalCodes.has(error.code)) throw error;
    // Another program may have enrolled the person after the gallery was listed.
    if (error.error === 'userEnrolled') return { ...of, outcome: 'skipped' };
    return { ...of, outcome: 'failed', error };
  }
}

async function read(image: Extract<EnroleePicture['image'], () => unknown>): Promise<Picture> {
  try {
    const picture = await image();
    if (picture instanceof Uint8Array && picture.length === 0)
      throw new Error('the picture is empty: 0 bytes');
    return picture;
  } catch (error) {
    throw new EnrolError('unreadable', (error as Error).message, { cause: error });
  }
}

/** Removes a person of whose pictures not more than half match: the first, which others are compared with, may be wrong. */
async function withoutDoubt({ gallery, options }: Run, sent: readonly Sent[]): Promise<Sent[]> {
  const isTaken = ({ outcome }: EnrolResult) => outcome === 'enrolled' || outcome === 'added';
  const taken = sent.filter(([, result]) => isTaken(result));
  const differing = sent.filter(([, { error }]) => isWajahError(error) && error.code === 'notRecognized');
  const [first] = taken;
  if (!first || differing.length < taken.length || differing.length === 0) return [...sent];
  await gallery.remove(first[1].user_id, { signal: options.signal });
  const names = differing.map(([{ name }]) => name).join(', ');
  const [others, show] =
    differing.length === 1 ? ['1 other picture', 'shows'] : [`${differing.length} other pictures`, 'show'];
  const error = new EnrolError(
    'otherFace',
    `${others} of this person ${show} another face (${names}), and none is enrolled; leave out those of others`,
  );
  return sent.map(([picture, result]) => [
    picture,
    isTaken(result) ? { ...result, outcome: 'failed', error } : result,
  ]);
}

function reportOf(results: readonly EnrolResult[]): EnrolReport {
  const count = { enrolled: 0, added: 0, skipped: 0, failed: 0 };
  for (const { outcome } of results) count[outcome] += 1;
  return { results, count };
}
