import { createHash } from 'node:crypto';
import { closeSync, existsSync, fstatSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { statuses } from '@wajah/contract';
import { OperatorError } from '@wajah/server/commands';
import { otherFace } from './agreement.ts';
import { type ImportOutcome, type ImportPerson, type ImportPicture, unreadable } from './people.ts';
import { cannotWrite, type ImportTarget, skipped } from './run.ts';

/** A gallery of a server, over HTTP. */
export interface HttpOptions {
  /** Of the server, such as https://faces.example. */
  readonly url: string;
  /** API token or access token. */
  readonly token: string;
  readonly galleryId: string;
  readonly createGallery: boolean;
  readonly replace: boolean;
  readonly refuseDuplicates: boolean;
  readonly dryRun: boolean;
  readonly force: boolean;
  readonly checkQuality: boolean;
  readonly checkSingleFace: boolean;
  readonly parallel: number;
  readonly journal: ImportJournal;
}

interface Answer {
  readonly status?: string;
  readonly detail?: string;
  readonly status_message?: string;
  readonly duplicate_user_id?: string;
  readonly faces?: readonly { readonly user_id: string; readonly user_name: string }[];
  readonly next_cursor?: string;
}

type Call = (path: string, body: object, method?: 'POST' | 'DELETE') => Promise<Answer>;

const timeoutMs = 120_000;
/** A server that restarts or is busy is called again for so long. */
const patienceMs = 5 * 60_000;

/** @throws OperatorError when the server does not answer, or refuses the token or the gallery */
export async function openHttpTarget(options: HttpOptions): Promise<ImportTarget> {
  const { galleryId, createGallery, dryRun, parallel } = options;
  const call = caller(options);
  if (createGallery && !dryRun) {
    const made = await call('facegallery/create-facegallery', { facegallery_id: galleryId });
    if (made.status !== success.status && made.status !== galleryExists.status) throw refused(made);
  }
  return {
    parallel,
    enrolled: () => enrolledIn(call, options),
    enrol: (person) => (dryRun ? readable(person) : enrolPerson(call, options, person)),
    close: async () => undefined,
  };
}

async function enrolledIn(call: Call, { galleryId, journal }: HttpOptions): Promise<Map<string, string>> {
  const people = new Map<string, string>();
  for (let cursor: string | undefined; ; ) {
    const page = await call('facegallery/list-faces', {
      facegallery_id: galleryId,
      limit: 10_000,
      ...(cursor === undefined ? {} : { cursor }),
    });
    if (page.status !== success.status) throw refused(page);
    // Those whose pictures were not all sent are enrolled again.
    for (const { user_id: userId, user_name: userName } of page.faces ?? [])
      if (!journal.isOpen(userId)) people.set(userId, userName);
    if (page.next_cursor === undefined) return people;
    cursor = page.next_cursor;
  }
}

/** The first picture replaces what an interrupted import has left of the person; further ones are appended. */
async function enrolPerson(call: Call, options: HttpOptions, person: ImportPerson): Promise<ImportOutcome[]> {
  const { journal, replace } = options;
  const again = replace || journal.isOpen(person.userId);
  journal.begin(person.userId);
  const outcomes: ImportOutcome[] = [];
  let mode: object = again ? { replace: true } : {};
  for (const picture of person.pictures) {
    const outcome = await enrolPicture(call, options, person, picture, mode);
    if (outcome.status === 'skipped') {
      journal.complete(person.userId);
      return skipped(person);
    }
    outcomes.push(outcome);
    if (outcome.status === 'enrolled') mode = { append: true };
  }
  const settled = replace ? outcomes : await withoutDoubt(call, options, outcomes);
  journal.complete(person.userId);
  return settled;
}

/**
 * The server compares further pictures with those before, of which the first may be the one of somebody else. Unless more
 * than half show the same person, the person is erased again; one who was replaced is not, since the former pictures are
 * gone.
 */
async function withoutDoubt(
  call: Call,
  { galleryId }: HttpOptions,
  outcomes: ImportOutcome[],
): Promise<ImportOutcome[]> {
  const taken = outcomes.filter(({ status }) => status === 'enrolled');
  const differing = outcomes.filter(({ kind }) => kind === otherFace);
  if (differing.length === 0 || differing.length < taken.length) return outcomes;
  const person = { facegallery_id: galleryId, user_id: taken[0]?.person };
  const erased = await call('facegallery/delete-face', person, 'DELETE');
  // Sent again after a lost answer, it finds nobody.
  if (erased.status !== success.status && erased.status !== userNotFound.status) throw refused(erased);
  const others = differing.length === 1 ? '1 other picture' : `${differing.length} other pictures`;
  const show = differing.length === 1 ? 'shows' : 'show';
  const reason = `${others} of this person ${show} another face, and none is enrolled; leave out those of others, or enrol all with --force`;
  return outcomes.map((one) =>
    one.status === 'enrolled' ? { ...one, status: 'refused', reason, kind: otherFace } : one,
  );
}

async function enrolPicture(
  call: Call,
  { galleryId, force, checkQuality, checkSingleFace, refuseDuplicates }: HttpOptions,
  { userId, userName, terms }: ImportPerson,
  { file, read }: ImportPicture,
  mode: object,
): Promise<ImportOutcome> {
  const of = { person: userId, file };
  const image = await read().catch((error: Error) => ({ reason: error.message }));
  if ('reason' in image) return { ...of, status: 'refused', reason: image.reason, kind: unreadable };
  const answer = await call('facegallery/enroll-face', {
    user_id: userId,
    user_name: userName,
    facegallery_id: galleryId,
    image: Buffer.from(image).toString('base64'),
    force_register: force,
    check_quality: checkQuality,
    check_single_face: checkSingleFace,
    check_duplicate: refuseDuplicates,
    ...consentFields(terms),
    ...mode,
  });
  if (answer.status === success.status) return { ...of, status: 'enrolled', reason: '' };
  if (fatal.has(answer.status ?? '')) throw refused(answer);
  const reason = answer.detail ?? answer.status_message ?? `status ${answer.status}`;
  if (answer.status === notRecognized.status)
    return { ...of, status: 'refused', reason: `${reason} (--force)`, kind: otherFace };
  const kind = answer.status_message;
  if (answer.status !== userExists.status) return { ...of, status: 'refused', reason, kind };
  const other = answer.duplicate_user_id;
  if (other !== undefined && other !== userId) return { ...of, status: 'duplicate', reason, kind };
  return { ...of, status: 'append' in mode ? 'refused' : 'skipped', reason };
}

function consentFields({ consent }: Pick<NonNullable<ImportPerson['terms']>, 'consent'> = { consent: null }) {
  if (consent === null) return {};
  return {
    consent_reference: consent.reference,
    consent_purpose: consent.purpose ?? undefined,
    consent_given_at: consent.givenAt,
    consent_until: consent.until ?? undefined,
  };
}

/** Of a dry run: nothing is sent. */
async function readable(person: ImportPerson): Promise<ImportOutcome[]> {
  const outcomes = person.pictures.map(async ({ file, read }): Promise<ImportOutcome> => {
    const reason = await read().then(
      () => null,
      (error: Error) => error.message,
    );
    const status = reason === null ? 'valid' : 'refused';
    return { person: person.userId, file, status, reason: reason ?? 'read, not sent' };
  });
  return Promise.all(outcomes);
}

/** Every further call would get these too: token, rights and quota, gallery, liveness, the request itself. */
const fatal: ReadonlySet<string> = new Set(
  (
    ['malformed', 'unauthorized', 'denied', 'galleryNotFound', 'livenessNotProven', 'serverError'] as const
  ).map((name) => statuses[name].status),
);
const { success, userExists, userNotFound, galleryExists, notRecognized, busy, tooManyRequests } = statuses;

/** The server asks to come again. */
const waiting: ReadonlySet<string> = new Set([busy.status, tooManyRequests.status]);

function refused({ status, detail, status_message: message }: Answer): OperatorError {
  return new OperatorError(`the server refuses the import: ${detail ?? message ?? ''} (status ${status})`);
}

function caller({ url, token }: Pick<HttpOptions, 'url' | 'token'>): Call {
  const base = `${url.replace(/\/+$/, '')}/face-api/`;
  const headers = { accesstoken: token, 'content-type': 'application/json' };
  return async (path, body, method = 'POST') => {
    for (const end = Date.now() + patienceMs; ; ) {
      const request = { method, headers, body: JSON.stringify(body) };
      const result = await fetch(base + path, { ...request, signal: AbortSignal.timeout(timeoutMs) }).then(
        async (response) => ({ answer: (await response.json()) as Answer, wait: waitOf(response) }),
        (error: Error) => ({ error }),
      );
      if ('answer' in result && !waiting.has(result.answer.status ?? '')) return result.answer;
      if (Date.now() > end) throw unreachable(url, result);
      await delay('error' in result ? 1000 : result.wait);
    }
  };
}

/** Milliseconds of Retry-After, a second without it. */
function waitOf(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? 1);
  return 1000 * Math.min(60, Math.max(0.1, Number.isFinite(seconds) ? seconds : 1));
}

function unreachable(url: string, result: { error: Error } | { answer: Answer }): OperatorError {
  if ('answer' in result) return refused(result.answer);
  const { code } = (result.error.cause ?? result.error) as { code?: string };
  return new OperatorError(`${url} does not answer (${code ?? result.error.message})`);
}

/** People whose enrolment over HTTP was begun, and whether it was completed. */
export interface ImportJournal {
  /** An earlier run began to enrol the person and did not complete it. */
  isOpen(userId: string): boolean;
  begin(userId: string): void;
  complete(userId: string): void;
  /** Deletes the file: the import is complete. */
  finish(): void;
  /** Deletes a file in which nothing is: no person was begun. */
  close(): void;
}

/**
 * Over HTTP the pictures of a person are several calls. The journal tells a resumed import whose pictures were not all
 * sent: those people are enrolled again from the first picture on. Lines hold digests of user_ids.
 * @param file mode 0600; it is created, or continued
 * @throws OperatorError when it cannot be written
 */
export function openJournal(file: string): ImportJournal {
  const open = new Set<string>();
  if (existsSync(file)) {
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const [mark, person = ''] = [line[0], line.slice(1)];
      if (mark === '+') open.add(person);
      else if (mark === '-') open.delete(person);
    }
  }
  let fd: number;
  try {
    fd = openSync(file, 'a', 0o600);
  } catch (error) {
    throw cannotWrite('--journal', file, error);
  }
  return {
    isOpen: (userId) => open.has(digestOf(userId)),
    begin: (userId) => void writeSync(fd, `+${digestOf(userId)}\n`),
    complete: (userId) => void writeSync(fd, `-${digestOf(userId)}\n`),
    finish: () => rmSync(file, { force: true }),
    close() {
      if (fstatSync(fd).size === 0) rmSync(file, { force: true });
      closeSync(fd);
    },
  };
}

const digestOf = (userId: string) => createHash('sha256').update(userId).digest('hex');
