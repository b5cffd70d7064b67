import { type Command, InvalidArgumentError } from 'commander';
import type { AdminOperations } from '../../../admin/operations.ts';
import { dayMs } from '../../../lib/time.ts';
import type { CommandDeps } from '../../command.ts';
import { table } from '../../terminal.ts';
import { plainJson } from './plain-json.ts';

type Records = Awaited<ReturnType<AdminOperations['processingRecords']>>[number];

const yearMs = 365 * dayMs;

interface Options {
  readonly client?: string;
  readonly since?: string;
  readonly until?: string;
  readonly json?: boolean;
}

/** Adds `records-of-processing`. */
export function addProcessingCommand(program: Command, { admin, terminal }: CommandDeps): void {
  program
    .command('records-of-processing')
    .description(
      'records of processing from store, settings and audit trail: purposes, categories of data, recipients, retention, counts by month (Art. 30 GDPR, Art. 31 UU 27/2022)',
    )
    .option('--client <client_id>', 'only those of this client')
    .option('--since <time>', 'beginning of the counts, ISO 8601; default: a year before the end', parseTime)
    .option('--until <time>', 'end of the counts, ISO 8601; default: now', parseTime)
    .option('--json', 'print JSON')
    .action(async ({ client, since, until, json }: Options) => {
      const to = until ?? new Date().toISOString();
      const from = since ?? new Date(new Date(to).getTime() - yearMs).toISOString();
      const records = await admin((operations) =>
        operations.processingRecords({ clientId: client ?? null, from, to }),
      );
      if (json) terminal.out(plainJson(records));
      else terminal.out(records.map(readable).join('\n\n'));
    });
}

function readable({ clientId, from, to, galleries, otherCounts, recipients, categories }: Records): string {
  return [
    `Records of processing of ${clientId}, ${from} to ${to}`,
    ...galleries.map(galleryText),
    `Events of no gallery, or of several\n${countTable(otherCounts)}`,
    `Recipients: valid API tokens\n${table(
      ['name', 'scopes', 'created', 'last used'],
      recipients.map(({ name, scopes, createdAt, lastUsedAt }) => [
        name,
        scopes?.join(' ') ?? 'all but diagnostics',
        createdAt,
        lastUsedAt ?? 'never',
      ]),
    )}`,
    `Categories of data\n${table(
      ['data', 'of', 'kept', 'erased'],
      categories.map(({ data, of, kept, erased }) => [data, of, kept ? 'yes' : 'no', kept ? erased : '']),
    )}`,
  ].join('\n\n');
}

function galleryText(gallery: Records['galleries'][number]): string {
  const { galleryId, people, purposes, withoutConsent, requireConsent, retentionDays, counts } = gallery;
  return [
    `Gallery ${galleryId}: ${people} people`,
    ...purposes.map((one) => `  purpose: ${one.purpose ?? 'not named'} (${one.people} people)`),
    `  without a consent: ${withoutConsent} people; consent is ${requireConsent ? 'required' : 'optional'}`,
    `  retention: ${retentionDays === null ? 'without end' : `${retentionDays} days`}`,
    countTable(counts),
  ].join('\n');
}

function countTable(counts: Records['otherCounts']): string {
  return table(
    ['month', 'event', 'count'],
    counts.map(({ month, event, count }) => [month, event, String(count)]),
  );
}

function parseTime(given: string): string {
  const time = new Date(given);
  if (!Number.isNaN(time.getTime())) return time.toISOString();
  throw new InvalidArgumentError('Allowed: an ISO 8601 time, such as 2026-01-31.');
}
