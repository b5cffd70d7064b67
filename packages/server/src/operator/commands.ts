import { loadConfig } from '../config/config.ts';
import { asOperatorError, OperatorError } from '../errors.ts';
import type { CommandDeps } from '../operations/command.ts';
import { operationsOf, type ToolCommands } from '../operations/table.ts';
import {
  type Columns,
  megabytes,
  printList,
  showProgress,
  type Terminal,
  table,
} from '../operations/terminal.ts';
import { packName } from '../services/galleries/embedding-spec.ts';
import { version } from '../version.ts';
import { backupOperations } from './backup.ts';
import { evaluationWork, isRefusal, openEvaluation, sectionsText } from './evaluation.ts';
import { importCommands } from './import/commands.ts';
import { exportOperations } from './people-file/export-people.ts';
import { openRecordingReader, type RecordedSession } from './recordings.ts';
import { storageOperations } from './storage.ts';
import { type GalleryResult, openTemplateMigrator } from './template-migration.ts';

type Work = { readonly [Name in keyof ToolCommands]: ToolCommands[Name] };
type Line<Name extends keyof Work> = Parameters<Work[Name]>[1];

/** `wajah reembed` */
export const reembed: Work['reembed'] = async ({ reach, terminal, env }, line) => {
  const { to, leaveOut, client, gallery } = line;
  if (gallery !== undefined && client === undefined) {
    throw new OperatorError('--gallery needs --client: names of galleries are those of a client');
  }
  const selection = { clientId: client ?? null, galleryId: gallery ?? null };
  const progress = showProgress('reembedded', terminal, 'faces');
  const migrator = await openTemplateMigrator(loadConfig(env), to);
  try {
    const results = await reach((perform) =>
      migrator.migrate(operationsOf(perform), selection, leaveOut, progress.update),
    ).finally(progress.end);
    report(results, to, migrator.embeddingSpec, terminal);
  } finally {
    await migrator.close();
  }
};

/** @throws OperatorError when a gallery stays with its pack */
function report(
  results: readonly GalleryResult[],
  pack: string,
  embeddingSpec: string,
  terminal: Terminal,
): void {
  if (results.length === 0) {
    terminal.note(`No gallery has faces of another pack than ${packName(embeddingSpec)}.`);
    return;
  }
  for (const { gallery, failed } of results) {
    for (const { userId, why } of failed)
      terminal.note(`${gallery.clientId} ${gallery.galleryId} ${userId}: ${why}`);
  }
  const rows = results.map(({ gallery, embedded, failed, waiting }) => [
    gallery.clientId,
    gallery.galleryId,
    String(embedded),
    String(failed.length),
    waiting === 0 ? 'ready' : `${waiting} missing`,
  ]);
  terminal.out(table(['client_id', 'facegallery_id', 'templates', 'not possible', ''], rows));
  const unready = results.filter(({ waiting }) => waiting > 0).length;
  if (unready < results.length) {
    terminal.note(
      `Ready galleries migrate at once where a server runs ${pack}; else run wajah models use ${pack} and restart each server. The server migrates up to 100 people a gallery that are enrolled until then; for more, run this command again.`,
    );
  }
  if (unready === 0) return;
  throw new OperatorError(
    `${unready} of ${results.length} galleries stay with their pack: enrol the missing people again, or delete them with --leave-out`,
  );
}

export const { importFolder, importCsv, importZip, importPeople, importCompreFace } = importCommands;

/** `wajah export` */
export const exportPeople: Work['exportPeople'] = async ({ reach, terminal, env }, line) => {
  const { file, client, gallery, crops, ...secret } = line;
  if (secret.passphraseFile === undefined && secret.keyFile === undefined) {
    throw new OperatorError(
      'give --passphrase-file or --key-file: another installation has another master key',
    );
  }
  const progress = showProgress('exported', terminal, 'people');
  const { bytes, people, galleries } = await reach((perform) =>
    exportOperations(loadConfig(env), version).people(
      file,
      { clientId: client, galleryId: gallery ?? null },
      { ...secret, withCrops: crops },
      operationsOf(perform),
      progress.update,
    ),
  ).finally(progress.end);
  terminal.out(
    `Wrote ${file} (${megabytes(bytes)}): ${people} ${people === 1 ? 'person' : 'people'} of ${galleries} ${galleries === 1 ? 'gallery' : 'galleries'}.`,
  );
};

/** `wajah backup` */
export const backUp: Work['backUp'] = async ({ reach, terminal, env }, { file, plain, ...secret }) => {
  const config = loadConfig(env);
  // A script that runs each night needs no notes.
  const progress = showProgress(
    'written',
    terminal.showsNotes ? terminal : { note: () => undefined },
    'rows',
  );
  const bytes = plain
    ? await storageOperations(config).backup(file)
    : await backupOperations(config, version).backup(file, secret, progress.update).finally(progress.end);
  terminal.out(`Wrote ${file} (${megabytes(bytes)}).`);
  // The file is there in any case.
  await reach((perform) => operationsOf(perform).recordBackup({ bytes })).catch((error: unknown) =>
    terminal.note(`The audit trail does not say so: ${error instanceof Error ? error.message : error}`),
  );
};

/** `wajah backup verify` */
export const verifyBackup: Work['verifyBackup'] = async ({ terminal, env }, { file, ...secret }) => {
  const { head, rows } = await backupOperations(loadConfig(env), version).verify(file, secret);
  printRows(terminal, rows);
  terminal.out(`Complete: a backup of ${head.store}, schema ${head.schema}.`);
};

/** `wajah restore` */
export const restore: Work['restore'] = async ({ terminal, env }, { file, force, ...secret }) => {
  const progress = showProgress('restored', terminal, 'rows');
  const { rows, former } = await backupOperations(loadConfig(env), version)
    .restore(file, secret, force, progress.update)
    .finally(progress.end);
  printRows(terminal, rows);
  if (former !== null) terminal.note(`The former database is ${former}; delete it when you are sure.`);
  terminal.note(
    'Access tokens from before the backup may be refused: clients request new ones. API tokens stay valid.',
  );
};

/** `wajah migrate-store` */
export const migrateStore: Work['migrateStore'] = async ({ terminal, env }, { from, to }) => {
  const copy = showProgress('copied', terminal, 'rows');
  const verify = showProgress('compared', terminal, 'rows');
  const counts = await storageOperations(loadConfig(env))
    .migrate(from, to, (stage, rows, total) => {
      if (stage === 'verify') copy.end();
      (stage === 'verify' ? verify : copy).update(rows, total);
    })
    .finally(() => {
      copy.end();
      verify.end();
    });
  printRows(terminal, counts);
  terminal.note(
    'Both stores hold the same rows, by count and SHA-256. Move the master key by hand: see docs/operations/storage.md.',
  );
};

function printRows({ out }: Terminal, counts: Readonly<Record<string, number>>): void {
  const rows = Object.entries(counts).map(([name, count]) => [name, String(count)]);
  out(table(['table', 'rows'], rows));
}

const noSessions =
  'No session is recorded: set WAJAH_RECORD_SESSIONS=true and send consent: true with submit-session.';

async function recorded({ reach, env }: CommandDeps, { client }: Pick<Line<'listSessions'>, 'client'>) {
  const reader = openRecordingReader(loadConfig(env));
  const all = await reach((perform) => reader.list(operationsOf(perform)));
  return { reader, sessions: all.filter(({ clientId }) => client === undefined || clientId === client) };
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
export const listSessions: Work['listSessions'] = async (deps, { json, unlabelled, client }) => {
  const { sessions } = await recorded(deps, { client });
  const shown = sessions.filter(({ label }) => !unlabelled || label === null);
  printList(deps.terminal, shown.map(listed), { json, columns: sessionColumns, empty: noSessions });
};

/** `wajah sessions export` */
export const exportSessions: Work['exportSessions'] = async (deps, { folder, client }) => {
  const { reader, sessions } = await recorded(deps, { client });
  const labelled = requireLabelled(sessions);
  const progress = showProgress('exported', deps.terminal, 'sessions');
  const pictures = await deps
    .reach((perform) =>
      reader.export(operationsOf(perform), folder, labelled, (done) =>
        progress.update(done, labelled.length),
      ),
    )
    .finally(progress.end);
  deps.terminal.out(`Wrote ${pictures} pictures of ${labelled.length} sessions to ${folder}.`);
  deps.terminal.note(
    'They are pictures of faces, no longer encrypted, and neither expire nor are erased with their people: delete the folder when you have measured.',
  );
};

/** `wajah sessions evaluate` */
export const evaluateSessions: Work['evaluateSessions'] = async (deps, { threshold, json, client }) => {
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

export const { evaluate, calibrate } = evaluationWork;
