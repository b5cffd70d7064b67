import { type Command, InvalidArgumentError } from 'commander';
import type { AdminInput } from '../../../admin/inputs.ts';
import type { AdminOperations } from '../../../admin/operations.ts';
import { OperatorError } from '../../../errors.ts';
import { type CommandDeps, wholeNumber } from '../../command.ts';
import { type Columns, dayOf, printList, snakeCase } from '../../terminal.ts';
import { addExport } from './export.ts';
import { parseDays } from './gallery-rules.ts';

/** Adds `person update | suspend | resume | expiring | export | erase`. */
export function addPersonCommands(program: Command, deps: CommandDeps): void {
  const person = program
    .command('person')
    .helpCommand(false)
    .description('consent, retention, suspension, export and erasure of people; see docs/privacy.md');
  addUpdate(person, deps);
  addSuspension(person, deps, true);
  addSuspension(person, deps, false);
  addExpiring(person, deps);
  addExport(person, deps);
  addErase(person, deps);
}

interface UpdateOptions {
  readonly consent?: string;
  readonly purpose?: string;
  readonly given?: string;
  readonly until?: string;
  readonly retentionDays?: number | null;
}

function addUpdate(parent: Command, { admin, terminal }: CommandDeps): void {
  parent
    .command('update')
    .description('record the consent of a person, which replaces the stored one, or set when they are erased')
    .argument('<client_id>')
    .argument('<facegallery_id>')
    .argument('<user_id>')
    .option('--consent <reference>', 'where the consent is found')
    .option('--purpose <text>', 'of the consent')
    .option('--given <time>', 'when it was given, ISO 8601; default: now', parseTime)
    .option('--until <time>', 'when it ends, ISO 8601: the person is then erased', parseTime)
    .option('--retention-days <days>', "from now, or none for the gallery's", parseDays)
    .action(async (clientId: string, galleryId: string, userId: string, options: UpdateOptions) => {
      const { consent, purpose, given, until, retentionDays } = options;
      if (Object.keys(options).length === 0) throw new OperatorError('Name --consent or --retention-days.');
      const found = await admin((operations) =>
        operations.updatePerson({
          ...{ clientId, galleryId, userId },
          consentReference: consent ?? null,
          consentPurpose: purpose ?? null,
          consentGivenAt: given ?? null,
          consentUntil: until ?? null,
          ...(retentionDays !== undefined && { retentionDays }),
        }),
      );
      const reference = found.consent ? `consent ${found.consent.reference}` : 'no consent';
      const end = found.expiry ? `erased on ${dayOf(found.expiry)}` : 'kept without end';
      terminal.out(`${userId} in ${galleryId} of ${clientId}: ${reference}, ${end}.`);
    });
}

function addSuspension(parent: Command, { admin, terminal }: CommandDeps, suspended: boolean): void {
  parent
    .command(suspended ? 'suspend' : 'resume')
    .description(
      suspended
        ? 'keep a person, who is neither identified nor verified until `person resume`'
        : 'match a person again who was suspended',
    )
    .argument('<client_id>')
    .argument('<user_id>')
    .option('--gallery <facegallery_id>', 'only in this gallery; default: in all of the client')
    .action(async (clientId: string, userId: string, { gallery }: { gallery?: string }) => {
      const input = { clientId, userId, galleryId: gallery ?? null, suspended };
      const done = await admin((operations) => operations.suspendPerson(input));
      terminal.out(`${suspended ? 'Suspended' : 'Resumed'} ${userId} of ${clientId} in ${done.join(', ')}.`);
    });
}

interface Expiring {
  readonly clientId: string;
  readonly facegalleryId: string;
  readonly userId: string;
  readonly userName: string;
  readonly expiresAt: string;
}

const columns: Columns<Expiring> = {
  erased: ({ expiresAt }) => dayOf(expiresAt),
  client_id: ({ clientId }) => clientId,
  facegallery_id: ({ facegalleryId }) => facegalleryId,
  user_id: ({ userId }) => userId,
  user_name: ({ userName }) => userName,
};

function addExpiring(parent: Command, { admin, terminal }: CommandDeps): void {
  parent
    .command('expiring')
    .description('list people who will be erased because their retention or consent ends, the next one first')
    .option('--days <days>', 'within so many days', wholeNumber(0, 36_500), 30)
    .option('--client <client_id>', 'only those of this client')
    .option('--gallery <facegallery_id>', 'only those of this gallery')
    .option('--json', 'print JSON')
    .action(
      async ({ days, client, gallery, json }: { days: number } & Record<string, string | undefined>) => {
        const people: Expiring[] = [];
        const query = { clientId: client ?? null, galleryId: gallery ?? null, days, limit: 1000 };
        for await (const { clientId, galleryId, userId, userName, expiresAt } of all(admin, query))
          people.push({ clientId, facegalleryId: galleryId, userId, userName, expiresAt });
        const empty = `Nobody is erased within ${days} days.`;
        printList(terminal, people, { json: json !== undefined, columns, empty });
      },
    );
}

type Query = Omit<AdminInput<'listExpiring'>, 'cursor'>;

/** The people of all pages. */
async function* all(admin: CommandDeps['admin'], query: Query) {
  type Page = Awaited<ReturnType<AdminOperations['listExpiring']>>;
  for (let cursor: string | null = null; ; ) {
    const from: string | null = cursor;
    const page: Page = await admin((operations) => operations.listExpiring({ ...query, cursor: from }));
    yield* page.people;
    if (page.nextCursor === undefined) return;
    cursor = page.nextCursor;
  }
}

function addErase(parent: Command, { admin, terminal }: CommandDeps): void {
  parent
    .command('erase')
    .description(
      'erase a person from all galleries of a client, with liveness sessions, remembered frames, recorded sessions and refused calls',
    )
    .argument('<client_id>')
    .argument('<user_id>')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print JSON')
    .action(async (clientId: string, userId: string, { yes, json }: { yes?: boolean; json?: boolean }) => {
      const question = `Erase ${userId} from all galleries of ${clientId}? This cannot be undone.`;
      if (!yes && !(await terminal.confirm(question))) {
        throw new OperatorError('Nothing was erased; --yes erases without asking.');
      }
      const { galleryIds, receipt, ...counts } = await admin((operations) =>
        operations.erasePerson({ clientId, userId }),
      );
      if (json) {
        terminal.out(JSON.stringify(snakeCase({ facegalleryIds: galleryIds, ...counts, receipt })));
        return;
      }
      const also = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
      terminal.out(`Erased ${userId} of ${clientId}: ${galleryIds.length} galleries, ${also.join(', ')}.`);
      if (receipt) terminal.out(`Receipt: record ${receipt.number} of the audit trail, ${receipt.hash}.`);
      else terminal.note('No audit record could be written: there is no receipt.');
    });
}

function parseTime(given: string): string {
  const time = new Date(given);
  if (!Number.isNaN(time.getTime())) return time.toISOString();
  throw new InvalidArgumentError('Allowed: an ISO 8601 time, such as 2026-01-31.');
}
