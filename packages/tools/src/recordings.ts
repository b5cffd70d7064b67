import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type AdminOperations,
  asOperatorError,
  type Columns,
  type CommandDeps,
  type Config,
  createRecordingVault,
  loadConfig,
  OperatorError,
  operationsOf,
  printList,
  type RecordedJudgement,
  type RecordingVault,
  requireOneMasterKey,
  SealError,
  type SealedRecording,
  showProgress,
  type ToolCommands,
} from '@wajah/server/commands';
import { isRefusal, openEvaluation, sectionsText } from './evaluation.ts';

/** A recorded session with its judgement. */
export interface RecordedSession extends Omit<SealedRecording, 'judgement'> {
  readonly judgement: RecordedJudgement;
}

const pageLength = 200;
/** Parts of 128 KiB in one reply of the admin socket. */
const partsAtOnce = 16;

/** Opens recorded sessions in the process of the command. @throws OperatorError without the master key */
function openVault(config: Config): RecordingVault {
  const masterKeys = requireOneMasterKey(config);
  if (masterKeys !== null) return createRecordingVault(...masterKeys);
  throw new OperatorError(
    'WAJAH_SECRET_KEY is not set, and the data directory holds no key: recorded sessions are sealed under it',
  );
}

/** In order of time. @throws OperatorError with another key than theirs */
async function list(operations: AdminOperations, vault: RecordingVault): Promise<RecordedSession[]> {
  const sessions: RecordedSession[] = [];
  for (let after = ''; ; ) {
    const page = await operations.listRecordings({ after, limit: pageLength });
    for (const sealed of page) {
      const opened = opening(() => vault.open(sealed, null, Buffer.from(sealed.judgement, 'base64')));
      sessions.push({ ...sealed, judgement: JSON.parse(Buffer.from(opened).toString('utf8')) });
    }
    const last = page.at(-1);
    if (!last || page.length < pageLength) return sessions;
    after = last.id;
  }
}

/** One for each frame; empty where the frame was no picture. */
async function picturesOf(
  operations: AdminOperations,
  vault: RecordingVault,
  session: RecordedSession,
): Promise<Buffer[]> {
  const opened: Uint8Array[] = [];
  for (let after = -1; ; ) {
    const parts = await operations.recordedParts({ id: session.id, after, limit: partsAtOnce });
    for (const { part, sealed } of parts) {
      opened.push(opening(() => vault.open(session, part, Buffer.from(sealed, 'base64'))));
      after = part;
    }
    if (parts.length < partsAtOnce) break;
  }
  const bytes = Buffer.concat(opened);
  let end = 0;
  return session.judgement.frames.map((frame) => {
    end += frame.bytes;
    return bytes.subarray(end - frame.bytes, end);
  });
}

function opening<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw new OperatorError(
      'WAJAH_SECRET_KEY (or secret.key of the data directory) is not the key that the recorded sessions are sealed under',
    );
  }
}

/**
 * Writes the pictures of labelled sessions into a new folder, in the layout of evaluation pictures, readable by this
 * user only.
 * @param progress receives the number of sessions written
 * @returns number of pictures
 */
async function exportTo(
  folder: string,
  sessions: readonly RecordedSession[],
  read: (session: RecordedSession) => Promise<Buffer[]>,
  progress: (sessions: number) => void,
): Promise<number> {
  await requireEmpty(folder);
  let written = 0;
  const pictures: object[] = [];
  const replayed: object[] = [];
  for (const [index, session] of sessions.entries()) {
    const files = await writePictures(folder, session, await read(session));
    written += files.length;
    pictures.push(
      ...files
        .filter(({ place }) => !isLight(session, place))
        .map(({ place, file }) => pictureEntry(session, place, file)),
    );
    replayed.push(sessionEntry(session, files));
    progress(index + 1);
  }
  await writeManifest(folder, 'pad', pictures);
  await writeManifest(folder, 'sessions', replayed);
  return written;
}

/** A picture of a session: its place among the frames, and its file in the folder of its task. */
interface WrittenPicture {
  readonly place: number;
  readonly file: string;
}

/** Writes the pictures of the steps below `pad`, those of the lights below `sessions`. */
async function writePictures(
  folder: string,
  session: RecordedSession,
  pictures: readonly Buffer[],
): Promise<WrittenPicture[]> {
  const written: WrittenPicture[] = [];
  for (const [place, picture] of pictures.entries()) {
    // Erased since it was listed, or never a picture.
    if (picture.length === 0) continue;
    const file = `${session.id}/${String(place + 1).padStart(2, '0')}.${formatOf(picture)}`;
    const path = join(folder, isLight(session, place) ? 'sessions' : 'pad', file);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, picture, { mode: 0o600, flag: 'wx' });
    written.push({ place, file });
  }
  return written;
}

async function writeManifest(folder: string, task: string, entries: readonly object[]): Promise<void> {
  await mkdir(join(folder, task), { recursive: true, mode: 0o700 });
  const text = `${JSON.stringify(entries, null, 1)}\n`;
  await writeFile(join(folder, task, 'manifest.json'), text, { mode: 0o600 });
}

async function requireEmpty(folder: string): Promise<void> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new OperatorError(`${folder} cannot be read (${error.code ?? 'unknown'})`);
  });
  if (found.length > 0) throw new OperatorError(`${folder} is not empty; name a new folder`);
}

function formatOf(picture: Buffer): 'png' | 'jpg' {
  return picture.subarray(1, 4).toString('latin1') === 'PNG' ? 'png' : 'jpg';
}

/** Coloured light would change the scores of a picture. */
function isLight({ judgement }: RecordedSession, place: number): boolean {
  return judgement.frames[place]!.step.startsWith('light ');
}

/** The manifests name persons by pseudonyms. All is `test`: nothing was tuned on it. */
function labelled({ id, label, species, judgement }: RecordedSession) {
  return {
    label: label === 'attack' ? 'spoof' : 'real',
    attack: label === 'attack' ? (species === 'other' ? 'unknown' : species) : null,
    person: judgement.person ?? id,
    collection: judgement.device ?? 'recorded',
    split: 'test',
  };
}

/** An entry of `pad`, for `wajah evaluate pad`. */
function pictureEntry(session: RecordedSession, place: number, file: string): object {
  const { id, at, judgement } = session;
  const frame = judgement.frames[place]!;
  return {
    file,
    ...labelled(session),
    framing: 'frame',
    session: id,
    recorded_at: at,
    step: frame.step,
    captured_at: frame.capturedAt,
    representative: frame.representative,
    spoof_score: frame.spoofScore,
    spoof_threshold: judgement.spoofThreshold,
    passed: judgement.passed,
    pack: judgement.pack,
  };
}

/** An entry of `sessions`, for `wajah evaluate sessions`. */
function sessionEntry(session: RecordedSession, files: readonly WrittenPicture[]): object {
  const { steps, lights, frames, passed } = session.judgement;
  const stepOf = ({ place }: WrittenPicture) => frames[place]!.step;
  return {
    file: session.id,
    ...labelled(session),
    recorded_at: session.at,
    passed,
    steps,
    lights,
    frames: files
      .filter(({ place }) => !isLight(session, place))
      .map((one) => ({ step: stepOf(one), file: one.file })),
    light_frames: files
      .filter(({ place }) => isLight(session, place))
      .map((one) => ({ light: Number(stepOf(one).slice('light '.length)), file: one.file })),
  };
}

const noSessions =
  'No session is recorded: set WAJAH_RECORD_SESSIONS=true and send consent: true with submit-session.';

async function recorded(
  { reach, env }: CommandDeps,
  { client }: Pick<Parameters<ToolCommands['listSessions']>[1], 'client'>,
) {
  const vault = openVault(loadConfig(env));
  const all = await reach((perform) => list(operationsOf(perform), vault));
  return { vault, sessions: all.filter(({ clientId }) => client === undefined || clientId === client) };
}

const sessionColumns: Columns<ReturnType<typeof listed>> = {
  session_id: ({ sessionId }) => sessionId,
  client_id: ({ clientId }) => clientId,
  recorded: ({ recordedAt }) => recordedAt.slice(0, 16),
  judged: ({ passed }) => (passed ? 'passed' : 'failed'),
  spoof: ({ spoofScore }) => spoofScore?.toFixed(2) ?? '',
  frames: ({ frames }) => String(frames),
  device: ({ device }) => device ?? '',
  label: ({ label, species }) => [label, species].filter(Boolean).join(' '),
};

function listed({ id, clientId, at, label, species, judgement }: RecordedSession) {
  const { passed, reasons, spoofScore, frames, device, person } = judgement;
  const named = { sessionId: id, clientId, recordedAt: at, label, species, passed, reasons };
  return { ...named, spoofScore, frames: frames.length, device, person };
}

/** `wajah sessions list` */
export const listSessions: ToolCommands['listSessions'] = async (deps, { json, unlabelled, client }) => {
  const { sessions } = await recorded(deps, { client });
  const shown = sessions.filter(({ label }) => !unlabelled || label === null);
  printList(deps.terminal, shown.map(listed), { json, columns: sessionColumns, empty: noSessions });
};

/** `wajah sessions export` */
export const exportSessions: ToolCommands['exportSessions'] = async (deps, { folder, client }) => {
  const { vault, sessions } = await recorded(deps, { client });
  const labelled = requireLabelled(sessions);
  const progress = showProgress('exported', deps.terminal, 'sessions');
  const pictures = await deps
    .reach((perform) => {
      const read = (session: RecordedSession) => picturesOf(operationsOf(perform), vault, session);
      return exportTo(folder, labelled, read, (done) => progress.update(done, labelled.length));
    })
    .finally(progress.end);
  deps.terminal.out(`Wrote ${pictures} pictures of ${labelled.length} sessions to ${folder}.`);
  deps.terminal.note(
    'They are pictures of faces, no longer encrypted, and neither expire nor are erased with their people: delete the folder when you have measured.',
  );
};

/** `wajah sessions evaluate` */
export const evaluateSessions: ToolCommands['evaluateSessions'] = async (
  deps,
  { threshold, json, client },
) => {
  const { sessions } = await recorded(deps, { client });
  const samples = requireLabelled(sessions).map(({ label, species, judgement }) => ({
    ...judgement,
    attack: label === 'attack' ? (species ?? 'other') : null,
  }));
  const inForce = threshold ?? loadConfig(deps.env).thresholds.spoof ?? null;
  const library = await openEvaluation(deps);
  const measured = await asOperatorError(
    async () => library.evaluateRecorded({ sessions: samples, threshold: inForce }),
    isRefusal,
  );
  deps.terminal.out(json ? JSON.stringify(measured) : sectionsText(measured).join('\n\n'));
};

/** @throws OperatorError */
function requireLabelled(sessions: readonly RecordedSession[]): RecordedSession[] {
  const labelled = sessions.filter(({ label }) => label !== null);
  if (labelled.length > 0) return labelled;
  throw new OperatorError(
    sessions.length === 0
      ? noSessions
      : `None of ${sessions.length} recorded sessions is labelled: wajah sessions label <session_id> bona_fide|attack`,
  );
}
