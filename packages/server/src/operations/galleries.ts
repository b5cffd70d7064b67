import { z } from 'zod';
import { OperatorError } from '../errors.ts';
import { openedOrNull } from '../security/vaults/sealing.ts';
import { requireClient } from '../services/accounts/clients.ts';
import { findDamage, type GalleryDamage } from '../services/galleries/damage.ts';
import { formatSimilarity } from '../services/galleries/format-similarity.ts';
import { allGalleries } from '../services/galleries/lookup.ts';
import type { GalleryRecord, GallerySettingsUpdate } from '../store/gallery-store.ts';
import {
  type Answer,
  argument,
  type Command,
  type CommandDeps,
  call,
  command,
  confirmed,
  flag,
  json,
  numberIn,
  type OperationParts,
  oneOf,
  operation,
  option,
  pick,
  share,
  wholeNumber,
  yes,
} from './command.ts';
import {
  type Columns,
  dayOf,
  deepSnakeCase,
  printList,
  showProgress,
  snakeCase,
  type Terminal,
} from './terminal.ts';

const place = { clientId: argument('<client_id>'), galleryId: argument('<facegallery_id>') };
const gallery = z.object({ clientId: z.string(), galleryId: z.string() });

/** All galleries of a client, or one of them; both null: those of all clients. */
export const selection = z.object({ clientId: z.string().nullable(), galleryId: z.string().nullable() });

type Place = z.output<typeof gallery>;

/** What the audit trail says of a change of a gallery. */
function changed({ clientId, galleryId }: Place, facts: Record<string, string | number | boolean>) {
  return [clientId, { facegallery_id: galleryId, ...facts }] as const;
}

/** @throws OperatorError without the client, or the gallery */
async function tune(
  { store }: Pick<OperationParts, 'store'>,
  { clientId, galleryId }: Place,
  changes: GallerySettingsUpdate,
): Promise<void> {
  await requireClient(store, clientId);
  if (await store.galleries.updateSettings(clientId, galleryId, changes)) return;
  throw noGallery(clientId, galleryId);
}

/** What is needed to open and seal its templates. */
export function sealedGallery(gallery: GalleryRecord) {
  const { id, clientId, galleryId, wrappedKey, embeddingSpec, faces } = gallery;
  return { id, clientId, galleryId, wrappedKey, embeddingSpec, faces };
}

/**
 * All galleries, those of one client, or one gallery of a client.
 * @param clientId null: all clients
 * @throws OperatorError without the client, or the gallery
 */
export async function findGalleries(
  store: Pick<OperationParts['store'], 'clients' | 'galleries'>,
  { clientId, galleryId }: z.output<typeof selection>,
): Promise<GalleryRecord[]> {
  if (clientId === null) return allGalleries(store);
  await requireClient(store, clientId);
  const all = await store.galleries.list(clientId);
  const found = galleryId === null ? all : all.filter((one) => one.galleryId === galleryId);
  if (found.length === 0 && galleryId !== null) throw noGallery(clientId, galleryId);
  return found;
}

function noGallery(clientId: string, galleryId: string): OperatorError {
  return new OperatorError(
    `facegallery_id: ${clientId} has no gallery ${JSON.stringify(galleryId)}; list its galleries`,
  );
}

const listGalleries = operation('listGalleries', {
  input: z.object({ clientId: z.string() }),
  act: null,
  /** Ordered by name. */
  run: async ({ store }, { clientId }) => {
    await requireClient(store, clientId);
    const { packName } = await import('../services/galleries/embedding-spec.ts');
    return (await store.galleries.list(clientId)).map((one) => ({
      ...pick(one, ['galleryId', 'faces', 'threshold']),
      calibrated: one.curve !== null,
      ...pick(one, ['requireLiveness', 'requireConsent', 'retentionDays', 'cohortMode']),
      /** Version of the statistics, and the people measured; 0 without statistics. */
      cohortVersion: one.cohort?.version ?? 0,
      cohortPeople: one.cohort?.people ?? 0,
      /** Model pack and version of its templates; null while none is stored. */
      pack: one.embeddingSpec === null ? null : packName(one.embeddingSpec),
      createdAt: one.createdAt,
    }));
  },
});

type ListedGallery = Omit<Answer<typeof listGalleries>[number], 'galleryId'> & {
  readonly facegallery_id: string;
};

const galleryColumns: Columns<ListedGallery> = {
  facegallery_id: ({ facegallery_id }) => facegallery_id,
  faces: ({ faces }) => String(faces),
  threshold: ({ threshold }) => (threshold === null ? "the server's" : String(threshold)),
  curve: ({ calibrated }) => (calibrated ? 'its own' : "the server's"),
  liveness: ({ requireLiveness }) => (requireLiveness ? 'required' : 'optional'),
  consent: ({ requireConsent }) => (requireConsent ? 'required' : 'optional'),
  retention: ({ retentionDays }) => (retentionDays === null ? '' : `${retentionDays} days`),
  pack: ({ pack }) => pack ?? '',
  created: ({ createdAt }) => dayOf(createdAt),
};

/** A similarity score from 0 to 1; `none` is null. */
function threshold(given: string): number | null {
  if (given === 'none') return null;
  try {
    return share(given);
  } catch {
    throw new OperatorError('Allowed: a number from 0 to 1, or none.');
  }
}

const rule = argument('<required>', 'required or optional', oneOf(['required', 'optional']));

/** Days; `none` is null. */
export function days(given: string): number | null {
  return given === 'none' ? null : wholeNumber(1, 36_500, ' (none: no end)')(given);
}

const setGalleryRetention = operation('setGalleryRetention', {
  /** Null: people are kept without end. */
  input: gallery.extend({ days: z.int().min(1).max(36_500).nullable() }),
  act: ({ days, ...one }) => changed(one, { retention_days: days ?? 'none' }),
  run: (parts, { days, ...one }) => tune(parts, one, { retentionDays: days }),
});

const setGalleryCohort = operation('setGalleryCohort', {
  input: gallery.extend({ mode: z.enum(['auto', 'frozen', 'off']) }),
  act: ({ mode, ...one }) => changed(one, { cohort_mode: mode }),
  run: (parts, { mode, ...one }) => tune(parts, one, { cohortMode: mode }),
});

const modes = { show: null, auto: 'auto', freeze: 'frozen', off: 'off' } as const;

const calibration: Command = command({
  name: 'gallery calibration',
  line: 'show or set how similarities are normalised',
  about:
    'show or set how similarities are normalised by the people of a gallery: auto follows the gallery, freeze keeps the statistics as they are, off uses the curve of the pack',
  arguments: {
    ...place,
    action: argument('<action>', 'show, auto, freeze or off', oneOf(['show', 'auto', 'freeze', 'off'])),
  },
  action: async ({ reach, terminal }, { clientId, galleryId, action }) => {
    const mode = modes[action];
    if (mode) await reach((perform) => perform(setGalleryCohort, { clientId, galleryId, mode }));
    const galleries = await reach((perform) => perform(listGalleries, { clientId }));
    const found = galleries.find((one) => one.galleryId === galleryId);
    if (!found) throw new OperatorError(`${clientId} has no gallery ${JSON.stringify(galleryId)}.`);
    const { cohortMode, cohortVersion, cohortPeople } = found;
    const statistics =
      cohortPeople === 0 ? 'no statistics' : `statistics of ${cohortPeople} people, version ${cohortVersion}`;
    terminal.out(`Calibration of ${galleryId} of ${clientId}: ${cohortMode}, ${statistics}.`);
  },
});

export const findDuplicates = operation('findDuplicates', {
  /** Null: from the first pair on; the default. */
  input: gallery.extend({
    cursor: z.string().nullable(),
    expectedFalsePairs: z.number().min(1e-6).max(1e6).nullable(),
  }),
  act: null,
  /** The next part of the pairs, about a second of work. */
  run: async ({ store, searchDuplicates }, { clientId, galleryId, cursor, expectedFalsePairs }) => {
    const found = await store.galleries.get(clientId, galleryId);
    if (!found) throw noGallery(clientId, galleryId);
    const query = { cursor: cursor ?? undefined, expectedFalsePairs: expectedFalsePairs ?? undefined };
    return searchDuplicates({ clientId, trxId: null }, found, query, new AbortController().signal);
  },
});

const checkGalleries = operation('checkGalleries', {
  input: selection.extend({ erase: z.boolean() }),
  // The erasures of a gallery are one record, which is their receipt.
  act: null,
  /** Galleries with damage. @returns with the receipt of what was erased; null: nothing was */
  run: async (parts, { erase, ...selected }) => {
    const found = [];
    for (const gallery of await findGalleries(parts.store, selected)) {
      const damage = await findDamage(parts, gallery);
      if (!damage.key && damage.templates.length + damage.crops.length === 0) continue;
      const receipt = erase && !damage.key ? await eraseDamage(parts, gallery, damage) : null;
      found.push({ ...pick(gallery, ['clientId', 'galleryId', 'faces']), ...damage, receipt });
    }
    return found;
  },
});

async function eraseDamage(
  { store, vault, eraser, events }: OperationParts,
  gallery: GalleryRecord,
  { templates, crops }: GalleryDamage,
) {
  const { id, clientId, galleryId } = gallery;
  for (const crop of crops) await store.sealed.eraseCrop(id, crop);
  let people = 0;
  for (const userId of templates) {
    // Enrolled again meanwhile.
    const face = await store.faces.get(id, userId);
    if (face && openedOrNull(() => vault.gallery(gallery).openAll(userId, face.template))) continue;
    if (await eraser.erase(gallery, userId, { trxId: null, reason: 'deleted' })) people += 1;
  }
  const facts = { facegallery_id: galleryId, people, crops: crops.length };
  return events.administered(clientId, { operation: 'erase-damaged', ...facts });
}

type DamagedGallery = Answer<typeof checkGalleries>[number];

const check = call({
  name: 'gallery check',
  line: 'find templates and face crops that are damaged',
  about:
    'open every template and face crop, and list those that do not open because they were damaged or moved in the database: searches leave them out',
  options: {
    client: option('--client <client_id>', 'only the galleries of this client'),
    gallery: option('--gallery <facegallery_id>', 'only this gallery of the client'),
    erase: flag('--erase', 'erase the people whose templates are damaged, and damaged face crops'),
    yes,
    json,
  },
  calls: checkGalleries,
  read: async ({ client, gallery, erase, yes }, terminal) => {
    if (gallery !== undefined && client === undefined) throw new OperatorError('--gallery needs --client.');
    if (erase)
      await confirmed(terminal, yes, 'Erase everything that does not open? People can be enrolled again.');
    return { clientId: client ?? null, galleryId: gallery ?? null, erase };
  },
  print: (damaged, { erase, json }, { out }) => {
    if (json) return out(JSON.stringify(damaged.map(deepSnakeCase)));
    if (damaged.length === 0) return out('Everything opens: no template and no face crop is damaged.');
    for (const one of damaged) for (const line of damageLines(one, erase)) out(line);
  },
});

function damageLines(
  { clientId, galleryId, faces, key, templates, crops, receipt }: DamagedGallery,
  erase: boolean,
): string[] {
  const where = `${galleryId} of ${clientId}`;
  if (key) {
    return [
      `${where}: its key is damaged, so nothing of its ${faces} people opens; restore a backup, or delete the gallery and enrol them again.`,
    ];
  }
  return [
    ...templates.map((userId) => `${where}: the template of ${userId} is damaged.`),
    ...crops.map(({ name }) => `${where}: a face crop of ${name} is damaged.`),
    ...(receipt ? [`Erased. Receipt: record ${receipt.number} of the audit trail, ${receipt.hash}.`] : []),
    ...(erase && !receipt ? ['Erased. No audit record could be written: there is no receipt.'] : []),
    ...(erase ? [] : [`Enrol them again with replace, or erase them: wajah gallery check --erase.`]),
  ];
}

type DuplicatePage = Answer<typeof findDuplicates>;
type Pair = DuplicatePage['pairs'][number];

const duplicates: Command = command({
  name: 'gallery duplicates',
  line: 'find users who may be the same person',
  about:
    'find users of a gallery who may be the same person, by comparing all pairs; Ctrl-C stops and prints where to resume',
  arguments: place,
  options: {
    expectedFalsePairs: option(
      '--expected-false-pairs <number>',
      'expected pairs of different people among all pairs; the similarity threshold follows (default: 0.1)',
      numberIn(1e-6, 1e6, '0.000001 to 1000000'),
    ),
    cursor: option(
      '--cursor <text>',
      'resume where an earlier run stopped, or compare only faces written since it ended',
    ),
    json,
  },
  action: ({ reach, terminal }, { clientId, galleryId, expectedFalsePairs = null, cursor, json }) =>
    reach((perform) => {
      const find = (at: string | null) =>
        perform(findDuplicates, { clientId, galleryId, cursor: at, expectedFalsePairs });
      return search(find, cursor ?? null, json, terminal);
    }),
});

/** What was found until then is printed also when the search is interrupted or fails. */
async function search(
  find: (cursor: string | null) => Promise<DuplicatePage>,
  cursor: string | null,
  json: boolean,
  terminal: CommandDeps['terminal'],
): Promise<void> {
  const found: Pair[] = [];
  const progress = showProgress('Comparing', terminal, 'pairs');
  let last: DuplicatePage | undefined;
  let interrupted = false;
  const interrupt = () => {
    interrupted = true;
  };
  process.once('SIGINT', interrupt);
  try {
    for (let at = cursor; !last?.complete && !interrupted; at = last.cursor) {
      last = await find(at);
      found.push(...last.pairs);
      const pairs = (last.people * (last.people - 1)) / 2;
      if (pairs > 0) progress.update(Math.round(last.progress * pairs), pairs);
    }
  } finally {
    process.off('SIGINT', interrupt);
    progress.end();
    if (last) printPairs(terminal, found, last, json);
  }
  if (!last?.complete) throw new OperatorError('The search was interrupted.');
}

const pairColumns: Columns<Pair> = {
  similarity: ({ similarity }) => formatSimilarity(similarity),
  'false match rate': ({ falseMatchRate }) => shortNumber(falseMatchRate),
  user_id: ({ users }) => users[0]!.userId,
  user_name: ({ users }) => users[0]!.userName,
  enrolled: ({ users }) => dayOf(users[0]!.createdAt),
  'other user_id': ({ users }) => users[1]!.userId,
  'other user_name': ({ users }) => users[1]!.userName,
  'other enrolled': ({ users }) => dayOf(users[1]!.createdAt),
};

function printPairs(terminal: Terminal, found: Pair[], last: DuplicatePage, json: boolean): void {
  found.sort((a, b) => b.similarity - a.similarity || b.score - a.score);
  const { threshold, people, complete, progress, facts, cursor } = last;
  if (!complete) terminal.note(`Stopped at ${Math.floor(100 * progress)} %. Resume with --cursor ${cursor}`);
  if (json) {
    const rates = { false_match_rate: last.falseMatchRate, expected_false_pairs: last.expectedFalsePairs };
    const scope = { people, people_compared: last.compared, complete, progress, cursor };
    terminal.out(JSON.stringify({ ...scope, threshold, ...rates, ...facts, pairs: found.map(snakeCase) }));
    return;
  }
  printList(terminal, found, { json, columns: pairColumns, empty: 'No pair reaches the threshold.' });
  const statistics =
    facts.cohort_people === 0
      ? 'not normalised by the gallery'
      : `normalised by ${facts.cohort_people} people, version ${facts.cohort_version}`;
  terminal.note(
    `${found.length === 1 ? '1 pair' : `${found.length} pairs`} of ${people} people at ${formatSimilarity(threshold)} or more, ${statistics}; about ${shortNumber(last.expectedFalsePairs)} pairs of different people are expected among all pairs.`,
  );
  if (complete) terminal.note(`Compare only faces written from now on: --cursor ${cursor}`);
}

const shortNumber = (value: number) => String(Number(value.toPrecision(2)));

/** The galleries of clients: their rules, their calibration, people who may be enrolled twice. */
export const galleryCommands = [
  command({
    name: 'gallery',
    heading: 'Clients and galleries:',
    line: 'list galleries, set their rules, find duplicates',
    about:
      'list the galleries of a client, set their thresholds, rules and calibration, find people who may be enrolled twice',
  }),
  call({
    name: 'gallery list',
    about: 'list the galleries of a client',
    arguments: { clientId: place.clientId },
    options: { json },
    calls: listGalleries,
    print: (galleries, { clientId, json }, terminal) => {
      const items = galleries.map(({ galleryId, ...rest }) => ({ facegallery_id: galleryId, ...rest }));
      printList(terminal, items, { json, columns: galleryColumns, empty: `${clientId} has no galleries.` });
    },
  }),
  call({
    name: 'gallery set-threshold',
    line: 'set the score at or above which faces match',
    about: 'set the similarity score at or above which faces of a gallery match',
    arguments: {
      ...place,
      threshold: argument(
        '<value>',
        'a similarity score from 0 to 1, or none for the threshold of the server',
        threshold,
      ),
    },
    calls: operation('setGalleryThreshold', {
      /** Null: the threshold of the server. */
      input: gallery.extend({ threshold: z.number().nullable() }),
      act: ({ threshold, ...one }) => changed(one, { threshold: threshold ?? 'server' }),
      run: async (parts, { threshold, ...one }) => {
        if (threshold === null || (threshold >= 0 && threshold <= 1)) return tune(parts, one, { threshold });
        throw new OperatorError(`threshold: ${threshold} is not allowed; give a similarity from 0 to 1`);
      },
    }),
    print: (_, { clientId, galleryId, threshold }, { out }) =>
      out(`Threshold of ${galleryId} of ${clientId}: ${threshold ?? 'that of the server'}.`),
  }),
  call({
    name: 'gallery set-liveness',
    line: 'require a liveness token, or make it optional',
    about: 'require a liveness token to enrol and verify faces of a gallery, or make it optional',
    arguments: { ...place, rule },
    calls: operation('setGalleryLiveness', {
      input: gallery.extend({ required: z.boolean() }),
      act: ({ required, ...one }) => changed(one, { require_liveness: required }),
      run: (parts, { required, ...one }) => tune(parts, one, { requireLiveness: required }),
    }),
    read: ({ rule, ...one }) => ({ ...one, required: rule === 'required' }),
    print: (_, { clientId, galleryId, rule }, { out }) =>
      out(`Liveness for ${galleryId} of ${clientId}: ${rule}.`),
  }),
  call({
    name: 'gallery set-consent',
    line: 'require a consent to enrol, or make it optional',
    about: 'require a consent reference to enrol people in a gallery, or make it optional',
    arguments: { ...place, rule },
    calls: operation('setGalleryConsent', {
      input: gallery.extend({ required: z.boolean() }),
      act: ({ required, ...one }) => changed(one, { require_consent: required }),
      run: (parts, { required, ...one }) => tune(parts, one, { requireConsent: required }),
    }),
    read: ({ rule, ...one }) => ({ ...one, required: rule === 'required' }),
    print: (_, { clientId, galleryId, rule }, { out }) =>
      out(`Consent in ${galleryId} of ${clientId}: ${rule}.`),
  }),
  call({
    name: 'gallery set-retention',
    line: 'set the days after which people are erased',
    about:
      'set the days after the first enrolment after which people of a gallery are erased, unless they have a time of their own',
    arguments: { ...place, days: argument('<days>', 'a whole number, or none', days) },
    options: { yes: { ...yes, about: 'do not ask, also if people would be erased at once' } },
    calls: setGalleryRetention,
    read: async ({ yes, ...input }, terminal) => {
      if (input.days !== null) {
        const before = new Date(Date.now() - input.days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
        const question = `People of ${input.galleryId} who were enrolled before ${before} are erased within minutes. Set it?`;
        await confirmed(terminal, yes, question, 'Nothing was changed; --yes sets it without asking.');
      }
      return input;
    },
    print: (_, { clientId, galleryId, days }, { out }) =>
      out(`Retention in ${galleryId} of ${clientId}: ${days === null ? 'without end' : `${days} days`}.`),
  }),
  calibration,
  duplicates,
  check,
] as const;

export const galleryOperations = [
  setGalleryCohort,
  findDuplicates,
  operation('installCalibration', {
    /** For the server (a name is null), in force from its next start on, or one gallery, at once; null removes it. */
    input: selection.extend({
      calibration: z
        .object({
          contract: z.record(z.string(), z.union([z.string(), z.number()])),
          curve: z.record(z.string(), z.unknown()),
        })
        .nullable(),
    }),
    act: ({ clientId, galleryId, calibration }) => [
      clientId,
      {
        ...(galleryId !== null && { facegallery_id: galleryId }),
        installed: calibration !== null,
      },
    ],
    run: async (parts, { clientId, galleryId, calibration }) => {
      const curve = calibration && JSON.stringify(calibration);
      if (clientId !== null && galleryId !== null) return tune(parts, { clientId, galleryId }, { curve });
      const { installServerCalibration } = await import('../services/galleries/calibration.ts');
      await installServerCalibration(parts.store.meta, curve);
    },
  }),
  operation('measureImpostors', {
    /** Inner products between users of galleries; templates of this embedding spec (JSON). */
    input: selection.extend({ embeddingSpec: z.string().min(1) }),
    act: null,
    run: async (parts, { embeddingSpec, ...selected }) => {
      const { impostorProducts } = await import('../services/galleries/impostor-products.ts');
      return impostorProducts(parts, await findGalleries(parts.store, selected), embeddingSpec);
    },
  }),
] as const;
