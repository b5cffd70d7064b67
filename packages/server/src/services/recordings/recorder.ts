import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Picture, UndecodedPicture } from '@wajah/contract';
import type { Config } from '../../config/config.ts';
import { readBase64 } from '../../lib/base64.ts';
import { hourMs } from '../../lib/time.ts';
import {
  type RecordingVault,
  recordingOverhead,
  type SubjectDigests,
} from '../../security/vaults/row-vaults.ts';
import type { RecordingFilter, RecordingStore } from '../../store/recording-store.ts';
import type { RecordedFrame, RecordedJudgement } from './judgement.ts';

/** Whom or what a recorded session belongs to: a person, a user of a gallery, or a gallery. */
export type RecordingOwner =
  | { readonly clientId: string; readonly subject: string }
  | { readonly clientId: string; readonly galleryId: string; readonly userId?: string };

/** A judged session that the person agreed to have recorded. */
export interface SessionToRecord {
  readonly id: string;
  readonly clientId: string;
  readonly at: Date;
  /** Digest of the session's subject, or of its user. */
  readonly subject: Uint8Array | null;
  readonly owners: readonly RecordingOwner[];
  /** As submitted, one of each frame. */
  readonly images: readonly Picture[];
  readonly judgement: Omit<RecordedJudgement, 'version' | 'person' | 'frames'> & {
    readonly frames: readonly Omit<RecordedFrame, 'bytes'>[];
  };
}

export interface RecordingSelection {
  readonly owner?: RecordingOwner;
  readonly clientId?: string;
  readonly id?: string;
}

interface RecorderOptions {
  readonly store: RecordingStore;
  readonly vault: RecordingVault;
  readonly subjects: SubjectDigests;
  readonly config: Pick<Config, 'recording' | 'limits'>;
  readonly log: { warn(fields: object, message: string): void };
}

/** Length of a part: to seal it takes 0.2 ms, to write it one commit. */
const partBytes = 128 * 1024;
/** Bytes of pictures, or characters of base64, that wait to be written; further sessions are dropped. */
const maxWaiting = 128 * 2 ** 20;

interface Job {
  readonly session: SessionToRecord;
  readonly digests: readonly Buffer[];
  readonly size: number;
  cancelled: boolean;
}

export type SessionRecorder = ReturnType<typeof createSessionRecorder>;

/** Records judged sessions in the background, where the settings say so. No call waits for it. */
export function createSessionRecorder({ store, vault, subjects, config, log }: RecorderOptions) {
  const { on, bytes: maxBytes } = config.recording;
  const jobs = new Set<Job>();
  let writing = Promise.resolve();
  const warn = onceAnHour(log);
  const digestOf = (owner: RecordingOwner) =>
    Buffer.from(subjects.digestSubject(owner.clientId, nameOf(owner)));
  const target = { store, vault, maxBytes, maxImage: config.limits.imageBytes };
  const run = async (job: Job) => {
    if (!job.cancelled) await write(job, target, warn);
    jobs.delete(job);
  };
  if (on) log.warn({}, 'WAJAH_RECORD_SESSIONS: sessions that are submitted with consent are recorded');
  return {
    /** Never throws. */
    record(session: SessionToRecord): void {
      if (!on) return;
      const waiting = [...jobs].reduce((sum, { size }) => sum + size, 0);
      const size = session.images.reduce((sum, image) => sum + sizeOf(image), 0);
      if (waiting + size > maxWaiting) {
        warn('a session was not recorded: too many wait to be written', {});
        return;
      }
      const digests = session.owners.map(digestOf);
      if (session.subject) digests.push(Buffer.from(session.subject));
      const job = { session, digests, size, cancelled: false };
      jobs.add(job);
      writing = writing.then(() => run(job));
    },
    /**
     * Erases the recordings of an owner, of a client, one recording, or all; also those that are not written yet.
     *
     * @NOTE With several servers, a session that another one is about to write stays until it expires.
     * @returns number of stored recordings erased
     */
    async erase({ owner, clientId, id }: RecordingSelection): Promise<number> {
      const digest = owner && digestOf(owner);
      const waiting = [...jobs].filter((job) => isOf(job, { digest, clientId, id }));
      for (const job of waiting) job.cancelled = true;
      // The one that is being written may have passed its last check.
      if (waiting.length > 0) await writing;
      return store.erase({ digest, clientId, id });
    },
    /** The stored recordings of any of the owners. */
    listOf: (owners: readonly RecordingOwner[]) => store.listOf(owners.map(digestOf)),
    /** Resolves when all sessions so far are written or dropped. */
    async settled(): Promise<void> {
      await writing;
    },
  };
}

function isOf({ session, digests }: Job, { digest, clientId, id }: RecordingFilter): boolean {
  return (
    (digest === undefined || digests.some((one) => one.equals(digest))) &&
    (clientId === undefined || session.clientId === clientId) &&
    (id === undefined || session.id === id)
  );
}

interface Target {
  readonly store: RecordingStore;
  readonly vault: RecordingVault;
  readonly maxBytes: number;
  readonly maxImage: number;
}

/** Never rejects. */
async function write(job: Job, target: Target, warn: ReturnType<typeof onceAnHour>): Promise<void> {
  try {
    if ((await writeParts(job, target)) !== 'full') return;
    warn('a session was not recorded: WAJAH_RECORD_MB is reached until some expire or are erased', {});
  } catch (error) {
    warn('a session was not recorded', { reason: String(error) });
  }
}

async function writeParts(job: Job, { store, vault, maxBytes, maxImage }: Target): Promise<'full' | 'done'> {
  const { session, digests } = job;
  const pictures: Uint8Array[] = [];
  for (const image of session.images) {
    await nextTurn();
    pictures.push(decodedOf(image, maxImage));
  }
  const judgement = vault.seal(session, null, judgementBytes(job, pictures));
  const length = pictures.reduce((sum, picture) => sum + picture.length, 0);
  const bytes = judgement.length + length + Math.ceil(length / partBytes) * recordingOverhead;
  const { id, clientId, at } = session;
  const begun = await store.begin({ id, clientId, at, digests, judgement, bytes }, maxBytes);
  if (begun !== 'begun') return begun === 'full' ? 'full' : 'done';
  let part = 0;
  for (const plain of partsOf(pictures)) {
    const there = !job.cancelled && (await store.addPart(id, part, vault.seal(session, part, plain)));
    if (!there) return 'done';
    part += 1;
  }
  await store.complete(id);
  return 'done';
}

function sizeOf(image: Picture): number {
  return image instanceof UndecodedPicture ? 0 : image.length;
}

/** What no picture is, or is too large for one, is recorded as empty. */
function decodedOf(image: Picture, most: number): Uint8Array {
  if (image instanceof UndecodedPicture) return Buffer.alloc(0);
  const read = typeof image === 'string' ? readBase64(image, most) : { bytes: image };
  return 'bytes' in read && read.bytes.length <= most ? read.bytes : Buffer.alloc(0);
}

/** Names under which the subjects of sessions are digested, too. */
function nameOf(owner: RecordingOwner): string[] {
  if ('subject' in owner) return ['subject', owner.subject];
  const { galleryId, userId } = owner;
  return userId === undefined ? ['gallery', galleryId] : ['user', galleryId, userId];
}

function judgementBytes({ session }: Job, pictures: readonly Uint8Array[]): Buffer {
  const { subject } = session;
  const person = subject && Buffer.from(subject).toString('hex').slice(0, 16);
  const frames = session.judgement.frames.map((frame, i) => ({ ...frame, bytes: pictures[i]!.length }));
  const judgement: RecordedJudgement = { version: 1, ...session.judgement, person, frames };
  return Buffer.from(JSON.stringify(judgement), 'utf8');
}

/** The pictures behind each other, cut into parts of equal length; the last one may be shorter. */
function* partsOf(pictures: readonly Uint8Array[]): Generator<Buffer> {
  let part: Uint8Array[] = [];
  let room = partBytes;
  for (const picture of pictures) {
    for (let at = 0; at < picture.length; ) {
      const piece = picture.subarray(at, at + room);
      part.push(piece);
      at += piece.length;
      room -= piece.length;
      if (room > 0) continue;
      yield Buffer.concat(part);
      part = [];
      room = partBytes;
    }
  }
  if (part.length > 0) yield Buffer.concat(part);
}

/** Each message at most once an hour. */
function onceAnHour(log: RecorderOptions['log']): (message: string, fields: object) => void {
  const last = new Map<string, number>();
  return (message, fields) => {
    const now = Date.now();
    if (now - (last.get(message) ?? 0) < hourMs) return;
    last.set(message, now);
    log.warn(fields, message);
  };
}
