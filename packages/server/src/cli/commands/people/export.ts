import { open } from 'node:fs/promises';
import type { Command } from 'commander';
import type { PlainExport } from '../../../admin/person-operations.ts';
import { asOperatorError } from '../../../errors.ts';
import type { CommandDeps } from '../../command.ts';
import { plainJson } from './plain-json.ts';

interface ExportOptions {
  readonly out?: string;
  readonly pictures?: boolean;
  readonly json?: boolean;
}

/** Adds `person export`. */
export function addExport(parent: Command, { admin, terminal }: CommandDeps): void {
  parent
    .command('export')
    .description(
      'what is known of a person in all galleries of a client, readable or as JSON, without the numbers of templates; recorded in the audit trail',
    )
    .argument('<client_id>')
    .argument('<user_id>')
    .option('--pictures', 'with the face crops that are stored, base64; with --json or --out')
    .option('--json', 'print JSON')
    .option('--out <file>', 'write JSON into a new file that only this user can read')
    .action(async (clientId: string, userId: string, { out, pictures = false, json }: ExportOptions) => {
      const known = await admin((operations) =>
        operations.exportPerson({ clientId, userId, pictures: pictures && Boolean(json || out) }),
      );
      const text = plainJson({ clientId, ...known });
      if (out !== undefined) {
        await asOperatorError(() => writeNew(out, `${text}\n`), isFileError, `${out}: `);
        terminal.out(`Wrote what is known of ${userId} to ${out}.`);
      } else terminal.out(json ? text : readable(clientId, known));
    });
}

async function writeNew(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const isFileError = (error: unknown) => typeof (error as NodeJS.ErrnoException).syscall === 'string';

/** For the person who asked. */
function readable(clientId: string, known: PlainExport): string {
  const { userId, at, galleries, sessions, frames, recordings, refusals, webhookEvents } = known;
  const lines = [`What Wajah knows of ${userId} of ${clientId}, ${at}`];
  for (const one of galleries) lines.push('', ...galleryLines(one));
  lines.push('', `Liveness sessions: ${sessions.length}`);
  for (const { id, createdAt, passed } of sessions) lines.push(`  ${createdAt} ${id} ${outcome(passed)}`);
  lines.push(`Traces of frames of passed sessions: ${frames}`);
  lines.push(`Recorded sessions: ${recordings.length}`);
  for (const { id, at: time, bytes } of recordings) lines.push(`  ${time} ${id} ${bytes} bytes`);
  lines.push(`Refused calls: ${refusals.length}`);
  for (const call of refusals) lines.push(`  ${call.at} ${call.route} ${call.status} ${call.detail ?? ''}`);
  lines.push(`Events for webhooks: ${webhookEvents.length}`);
  for (const { createdAt, type, state } of webhookEvents) lines.push(`  ${createdAt} ${type} ${state}`);
  return lines.join('\n');
}

function galleryLines({ galleryId, terms, ...one }: PlainExport['galleries'][number]): string[] {
  const { consent, expiry, suspendedAt } = terms;
  return [
    `Gallery ${galleryId}`,
    `  name: ${one.userName}`,
    `  enrolled: ${one.createdAt}, changed: ${one.updatedAt}`,
    `  templates: ${one.templates} of ${one.pack} (numbers that are computed from the face; not shown)`,
    `  stored pictures: ${one.crops.length}`,
    ...(one.pictureIds.length > 0 ? [`  ids of pictures: ${one.pictureIds.join(', ')}`] : []),
    consent
      ? `  consent: ${consent.reference}, ${consent.purpose ?? 'no purpose'}, given ${consent.givenAt}, until ${consent.until ?? 'no end'}`
      : '  consent: none',
    `  erased: ${expiry ?? 'no date'}`,
    `  suspended: ${suspendedAt ?? 'no'}`,
    ...(one.differentFrom.length > 0 ? [`  marked as other people: ${one.differentFrom.join(', ')}`] : []),
  ];
}

function outcome(passed: boolean | null): string {
  if (passed === null) return 'not judged';
  return passed ? 'passed' : 'failed';
}
