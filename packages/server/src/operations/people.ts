import { open } from 'node:fs/promises';
import { z } from 'zod';
import { asOperatorError, OperatorError } from '../errors.ts';
import { requireClient } from '../services/accounts/clients.ts';
import {
  type Answer,
  argument,
  type Command,
  call,
  command,
  confirmed,
  flag,
  isoTime,
  json,
  operation,
  option,
  wholeNumber,
  yes,
} from './command.ts';
import { days, selection } from './galleries.ts';
import { type Columns, dayOf, deepSnakeCase, printList, snakeCase, table } from './terminal.ts';

const names = { clientId: argument('<client_id>'), userId: argument('<user_id>') };
/** A person of a client. */
const person = z.object({ clientId: z.string(), userId: z.string() });

const updatePerson = call({
  name: 'person update',
  line: 'record a consent, or set when a person is erased',
  about: 'record the consent of a person, which replaces the stored one, or set when they are erased',
  arguments: {
    clientId: names.clientId,
    galleryId: argument('<facegallery_id>'),
    userId: names.userId,
  },
  options: {
    consentReference: option('--consent <reference>', 'where the consent is found'),
    consentPurpose: option('--purpose <text>', 'of the consent'),
    consentGivenAt: option('--given <time>', 'when it was given, ISO 8601; default: now', isoTime),
    consentUntil: option('--until <time>', 'when it ends, ISO 8601: the person is then erased', isoTime),
    retentionDays: option('--retention-days <days>', "from now, or none for the gallery's", days),
  },
  calls: operation('updatePerson', {
    /** Null keeps the stored consent; the days: undefined keeps, null is those of the gallery. */
    input: person.extend({
      galleryId: z.string(),
      consentReference: z.string().nullable(),
      consentPurpose: z.string().nullable(),
      consentGivenAt: z.iso.datetime().nullable(),
      consentUntil: z.iso.datetime().nullable(),
      retentionDays: z.int().min(1).max(36_500).nullable().optional(),
    }),
    act: ({ clientId, galleryId }) => [clientId, { facegallery_id: galleryId }],
    run: async ({ people }, { clientId, galleryId, userId, ...fields }) => {
      const { termsOf } = await import('../services/faces/terms.ts');
      const given = Object.entries(fields).filter(
        ([name, value]) => value !== null || name === 'retentionDays',
      );
      return people.update({ clientId, userId }, galleryId, termsOf(Object.fromEntries(given)));
    },
  }),
  read: ({ consentReference, consentPurpose, consentGivenAt, consentUntil, ...rest }) => {
    const consent = { consentReference, consentPurpose, consentGivenAt, consentUntil };
    if ([...Object.values(consent), rest.retentionDays].every((value) => value === undefined)) {
      throw new OperatorError('Name --consent or --retention-days.');
    }
    const orNull = Object.entries(consent).map(([name, value]) => [name, value ?? null]);
    return { ...rest, ...(Object.fromEntries(orNull) as Record<keyof typeof consent, string | null>) };
  },
  print: ({ consent, expiry }, { clientId, galleryId, userId }, { out }) => {
    const reference = consent ? `consent ${consent.reference}` : 'no consent';
    const end = expiry ? `erased on ${dayOf(expiry)}` : 'kept without end';
    out(`${userId} in ${galleryId} of ${clientId}: ${reference}, ${end}.`);
  },
});

const suspendPerson = operation('suspendPerson', {
  /** Gallery: null: every gallery of the client that has the person. */
  input: person.extend({ galleryId: z.string().nullable(), suspended: z.boolean() }),
  act: ({ clientId, galleryId, suspended }) => [
    clientId,
    { ...(galleryId !== null && { facegallery_id: galleryId }), suspended },
  ],
  /** @returns names of the galleries */
  run: ({ people }, { clientId, galleryId, userId, suspended }) =>
    people.suspend({ clientId, userId }, galleryId ?? undefined, suspended ? new Date() : null),
});

function suspension(suspended: boolean, name: string, line: string, about: string) {
  return call({
    name,
    line,
    about,
    arguments: names,
    options: {
      gallery: option('--gallery <facegallery_id>', 'only in this gallery; default: in all of the client'),
    },
    calls: suspendPerson,
    read: ({ gallery, ...one }) => ({ ...one, galleryId: gallery ?? null, suspended }),
    print: (done, { clientId, userId }, { out }) =>
      out(`${suspended ? 'Suspended' : 'Resumed'} ${userId} of ${clientId} in ${done.join(', ')}.`),
  });
}

const listExpiring = operation('listExpiring', {
  input: selection.extend({
    days: z.int().min(0).max(36_500),
    limit: z.int().min(1).max(1000),
    cursor: z.string().nullable(),
  }),
  act: null,
  run: ({ people }, { galleryId, cursor, ...query }) =>
    people.expiring({ ...query, galleryId: galleryId ?? undefined, cursor: cursor ?? undefined }),
});

interface Expiring {
  readonly clientId: string;
  readonly facegalleryId: string;
  readonly userId: string;
  readonly userName: string;
  readonly expiresAt: string;
}

const expiringColumns: Columns<Expiring> = {
  erased: ({ expiresAt }) => dayOf(expiresAt),
  client_id: ({ clientId }) => clientId,
  facegallery_id: ({ facegalleryId }) => facegalleryId,
  user_id: ({ userId }) => userId,
  user_name: ({ userName }) => userName,
};

const expiring: Command = command({
  name: 'person expiring',
  line: 'list people who will be erased soon',
  about: 'list people who will be erased because their retention or consent ends, the next one first',
  options: {
    days: option('--days <days>', 'within so many days', wholeNumber(0, 36_500), 30),
    client: option('--client <client_id>', 'only those of this client'),
    gallery: option('--gallery <facegallery_id>', 'only those of this gallery'),
    json,
  },
  action: async ({ reach, terminal }, { days, client, gallery, json }) => {
    const query = { clientId: client ?? null, galleryId: gallery ?? null, days, limit: 1000 };
    const people: Expiring[] = [];
    await reach(async (perform) => {
      for (let cursor: string | null | undefined = null; cursor !== undefined; ) {
        const page: Answer<typeof listExpiring> = await perform(listExpiring, { ...query, cursor });
        for (const { clientId, galleryId, userId, userName, expiresAt } of page.people) {
          people.push({ clientId, facegalleryId: galleryId, userId, userName, expiresAt });
        }
        cursor = page.nextCursor;
      }
    });
    const empty = `Nobody is erased within ${days} days.`;
    printList(terminal, people, { json, columns: expiringColumns, empty });
  },
});

const exportPerson = operation('exportPerson', {
  input: person.extend({ pictures: z.boolean() }),
  act: ({ clientId, pictures }) => [clientId, { pictures }],
  run: ({ people }, { clientId, userId, pictures }) => people.export({ clientId, userId }, { pictures }),
});

const exported: Command = command({
  name: 'person export',
  line: 'write what is known of a person as JSON',
  about:
    'what is known of a person in all galleries of a client, readable or as JSON, without the numbers of templates; recorded in the audit trail',
  arguments: names,
  options: {
    pictures: flag('--pictures', 'with the face crops that are stored, base64; with --json or --out'),
    json,
    out: option('--out <file>', 'write JSON into a new file that only this user can read'),
  },
  action: async ({ reach, terminal }, { clientId, userId, pictures, json, out }) => {
    const asJson = json || out !== undefined;
    const known = await reach((perform) =>
      perform(exportPerson, { clientId, userId, pictures: pictures && asJson }),
    );
    if (!asJson) return terminal.out(readableExport(clientId, known));
    const text = JSON.stringify(deepSnakeCase({ clientId, ...known }), null, 2);
    if (out === undefined) return terminal.out(text);
    await asOperatorError(() => writeNew(out, `${text}\n`), isFileError, `${out}: `);
    terminal.out(`Wrote what is known of ${userId} to ${out}.`);
  },
});

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

type Export = Answer<typeof exportPerson>;

/** For the person who asked. */
function readableExport(clientId: string, known: Export): string {
  const { userId, at, galleries, sessions, frames, refusals, webhookEvents } = known;
  const lines = [`What Wajah knows of ${userId} of ${clientId}, ${at}`];
  for (const one of galleries) lines.push('', ...galleryLines(one));
  lines.push('', `Liveness sessions: ${sessions.length}`);
  for (const { id, createdAt, passed } of sessions) lines.push(`  ${createdAt} ${id} ${outcome(passed)}`);
  lines.push(`Traces of frames of passed sessions: ${frames}`);
  lines.push(`Refused calls: ${refusals.length}`);
  for (const refused of refusals)
    lines.push(`  ${refused.at} ${refused.route} ${refused.status} ${refused.detail ?? ''}`);
  lines.push(`Events for webhooks: ${webhookEvents.length}`);
  for (const { createdAt, type, state } of webhookEvents) lines.push(`  ${createdAt} ${type} ${state}`);
  return lines.join('\n');
}

function galleryLines({ galleryId, terms, ...one }: Export['galleries'][number]): string[] {
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

const erasePerson = call({
  name: 'person erase',
  line: 'erase a person from all galleries of a client',
  about:
    'erase a person from all galleries of a client, with liveness sessions, remembered frames and refused calls',
  arguments: names,
  options: { yes, json },
  calls: operation('erasePerson', {
    input: person,
    // Its record is the receipt.
    act: null,
    /** The receipt is null when no audit record could be written. */
    run: async ({ eraser, events }, { clientId, userId }) => {
      const { galleryIds, ...counts } = await eraser.erasePerson({ clientId, userId }, null);
      const facts = { operation: 'erase-person', galleries: galleryIds.length, ...counts };
      return { galleryIds, ...counts, receipt: await events.administered(clientId, facts) };
    },
  }),
  read: async ({ clientId, userId, yes }, terminal) => {
    await confirmed(
      terminal,
      yes,
      `Erase ${userId} from all galleries of ${clientId}? This cannot be undone.`,
    );
    return { clientId, userId };
  },
  print: ({ galleryIds, receipt, ...counts }, { clientId, userId, json }, { out, note }) => {
    if (json) {
      return out(JSON.stringify(snakeCase({ facegalleryIds: galleryIds, ...counts, receipt })));
    }
    const also = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
    out(`Erased ${userId} of ${clientId}: ${galleryIds.length} galleries, ${also.join(', ')}.`);
    if (receipt) out(`Receipt: record ${receipt.number} of the audit trail, ${receipt.hash}.`);
    else note('No audit record could be written: there is no receipt.');
  },
});

export const personOperations = [listExpiring, exportPerson] as const;

/** People across the galleries of a client. */
export const personCommands = [
  command({
    name: 'person',
    heading: 'Clients and galleries:',
    line: 'export, erase and suspend people, list who expires',
    about: 'consent, retention, suspension, export and erasure of people; see docs/privacy.md',
  }),
  updatePerson,
  suspension(
    true,
    'person suspend',
    'keep a person, and match them no longer',
    'keep a person, who is neither identified nor verified until `person resume`',
  ),
  suspension(
    false,
    'person resume',
    'match a suspended person again',
    'match a person again who was suspended',
  ),
  expiring,
  exported,
  erasePerson,
] as const;

const processingRecords = operation('processingRecords', {
  /** Client: null: all. */
  input: z.object({
    clientId: z.string().nullable(),
    from: z.iso.datetime(),
    to: z.iso.datetime(),
  }),
  act: null,
  run: async ({ store, config }, { clientId, from, to }) => {
    const { processingRecords: recordsOf } = await import('../services/people/processing.ts');
    if (clientId !== null) await requireClient(store, clientId);
    const asked = clientId === null ? (await store.clients.list()).map((one) => one.clientId) : [clientId];
    const period = { from: new Date(from), to: new Date(to) };
    return Promise.all(asked.map((one) => recordsOf({ store, config }, one, period)));
  },
});

type Records = Answer<typeof processingRecords>[number];

const yearMs = 365 * 24 * 60 * 60 * 1000;

/** The records of processing of clients. */
export const processingCommands = [
  call({
    name: 'records-of-processing',
    heading: 'Stored data:',
    line: 'what is processed, of whom, for how long',
    about:
      'records of processing from store, settings and audit trail: purposes, categories of data, recipients, retention, counts by month (Art. 30 GDPR, Art. 31 UU 27/2022)',
    options: {
      client: option('--client <client_id>', 'only those of this client'),
      since: option(
        '--since <time>',
        'beginning of the counts, ISO 8601; default: a year before the end',
        isoTime,
      ),
      until: option('--until <time>', 'end of the counts, ISO 8601; default: now', isoTime),
      json,
    },
    calls: processingRecords,
    read: ({ client, since, until }) => {
      const to = until ?? new Date().toISOString();
      const from = since ?? new Date(new Date(to).getTime() - yearMs).toISOString();
      return { clientId: client ?? null, from, to };
    },
    print: (records, { json }, { out }) =>
      out(json ? JSON.stringify(deepSnakeCase(records), null, 2) : records.map(readableRecords).join('\n\n')),
  }),
] as const;

function readableRecords(records: Records): string {
  const { clientId, from, to, galleries, otherCounts, recipients, categories } = records;
  return [
    `Records of processing of ${clientId}, ${from} to ${to}`,
    ...galleries.map(galleryText),
    `Events of no gallery, or of several\n${countTable(otherCounts)}`,
    `Recipients: valid API tokens\n${table(
      ['name', 'scopes', 'created', 'last used'],
      recipients.map(({ name, scopes, createdAt, lastUsedAt }) => [
        name,
        scopes?.join(' ') ?? 'all but diagnostics and operate',
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
