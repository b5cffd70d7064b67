import { maxTemplates } from '@wajah/contract/values';
import { z } from 'zod';
import { OperatorError } from '../errors.ts';
import { requireClient } from '../services/accounts/clients.ts';
import type { TermsUpdate } from '../store/person-store.ts';
import type { Store } from '../store/store.ts';
import {
  argument,
  bytes,
  command,
  flag,
  oneOf,
  operation,
  option,
  pick,
  required,
  secretOptions,
  tool,
  wholeNumber,
} from './command.ts';
import { readEnrolmentSettings } from './enrolment-settings.ts';
import { sealedGallery } from './migration.ts';

/** Consent and end of retention of a person; times are ISO 8601. */
export const personTerms = z.object({
  consent: z
    .object({
      reference: z.string(),
      purpose: z.string().nullable(),
      givenAt: z.iso.datetime(),
      until: z.iso.datetime().nullable(),
    })
    .nullable(),
  expiresAt: z.iso.datetime().nullable(),
});

/** Consent and retention of a person as they cross the admin socket. */
export type PersonTermsText = z.output<typeof personTerms>;

/** Consent and retention as they cross the admin socket. */
export function termsText({ consent, expiresAt }: TermsUpdate = {}): PersonTermsText {
  return {
    consent: consent
      ? {
          ...consent,
          givenAt: consent.givenAt.toISOString(),
          until: consent.until?.toISOString() ?? null,
        }
      : null,
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}

function termsOfText({ consent, expiresAt }: PersonTermsText): TermsUpdate {
  const dateOf = (text: string | null) => (text === null ? null : new Date(text));
  return {
    consent: consent && { ...consent, givenAt: new Date(consent.givenAt), until: dateOf(consent.until) },
    expiresAt: dateOf(expiresAt),
  };
}

/** @throws OperatorError without the gallery */
async function galleryFor({ galleries }: Pick<Store, 'galleries'>, clientId: string, galleryId: string) {
  const found = await galleries.get(clientId, galleryId);
  if (found) return found;
  throw new OperatorError(
    `facegallery_id: ${clientId} has no gallery ${JSON.stringify(galleryId)}; name one that it has, or add --create-gallery`,
  );
}

/** People who are enrolled with templates that a command has computed and sealed, and those who are exported so. */
export const importOperations = [
  operation('readSettings', {
    /** The settings by which the server enrols; null: no server was started on these data. */
    input: z.object({}),
    act: null,
    run: ({ store }) => readEnrolmentSettings(store.meta),
  }),
  operation('prepareImport', {
    /** Finds the gallery that people are imported into, or creates it. */
    input: z.object({ clientId: z.string(), galleryId: z.string(), create: z.boolean() }),
    act: ({ clientId, galleryId, create }) => (create ? [clientId, { facegallery_id: galleryId }] : null),
    run: async ({ store, vault, config }, { clientId, galleryId, create }) => {
      await requireClient(store, clientId);
      const found = create
        ? await store.galleries.get(clientId, galleryId)
        : await galleryFor(store, clientId, galleryId);
      const gallery =
        found ?? (await store.galleries.create(clientId, galleryId, (id) => vault.wrapNewKey(clientId, id)));
      if (typeof gallery !== 'string') {
        const { requireLiveness } = gallery;
        // Null: that of the pack.
        const threshold = gallery.threshold ?? config.thresholds.verify ?? null;
        const { serverCalibration } = await import('../services/galleries/calibration.ts');
        const calibration = await serverCalibration(store.meta);
        const comparison = { threshold, calibration: calibration ? JSON.stringify(calibration) : null };
        return { ...sealedGallery(gallery), ...comparison, requireLiveness, isNew: found === null };
      }
      throw new OperatorError(
        gallery === 'quota'
          ? `facegallery_id: ${clientId} may have no further gallery; raise its quota, or name one that it has`
          : `facegallery_id: somebody created ${JSON.stringify(galleryId)} at the same moment; try again`,
      );
    },
  }),
  operation('listPeople', {
    /** user_ids and names in order, after one (exclusive). */
    input: z.object({ gallery: z.int().positive(), after: z.string(), limit: z.int().min(1).max(10_000) }),
    act: null,
    run: async ({ store }, { gallery, after, limit }) =>
      (await store.faces.list(gallery, { after, limit })).map((face) => pick(face, ['userId', 'userName'])),
  }),
  operation('readPeople', {
    /** People in order of user_id with sealed templates and crops, after one (exclusive). */
    input: z.object({ gallery: z.int().positive(), after: z.string(), limit: z.int().min(1).max(100) }),
    // The first page of an export.
    act: ({ gallery, after }) => (after === '' ? [null, { gallery }] : null),
    run: async ({ store }, { gallery, after, limit }) => {
      const people = [];
      for (const { userId } of await store.faces.list(gallery, { after, limit })) {
        const face = await store.faces.get(gallery, userId);
        if (!face) continue;
        const { suspendedAt, ...terms } = await store.people.get(gallery, userId);
        people.push({
          ...pick(face, ['userId', 'userName', 'template', 'embeddingSpec']),
          terms: termsText(terms),
          crops: await store.crops.get(gallery, userId),
          isSuspended: suspendedAt !== null,
        });
      }
      return people;
    },
  }),
  operation('importPeople', {
    input: z.object({
      clientId: z.string(),
      galleryId: z.string(),
      /** Of the templates (JSON). */
      embeddingSpec: z.string().min(1),
      /** Key that they were sealed with, as the gallery has it. */
      wrappedKey: bytes,
      replace: z.boolean(),
      /** What is done when the face looks like that of another person of the gallery. */
      duplicates: z.enum(['ignore', 'report', 'refuse']),
      /** Nothing is written. */
      dryRun: z.boolean(),
      people: z
        .array(
          z.object({
            userId: z.string().min(1),
            userName: z.string().min(1),
            template: bytes,
            crops: z.array(bytes).max(maxTemplates),
            /** Consent and end of retention, of an export. */
            terms: personTerms.optional(),
          }),
        )
        .min(1)
        .max(1000),
    }),
    // People that were offered; some of them may be enrolled already.
    act: ({ clientId, galleryId, people, dryRun }) =>
      dryRun ? null : [clientId, { facegallery_id: galleryId, people: people.length }],
    run: async (parts, { clientId, galleryId, people, wrappedKey, ...batch }) => {
      const { importSealed } = await import('./sealed-import.ts');
      const gallery = await galleryFor(parts.store, clientId, galleryId);
      const sealed = people.map(({ terms, ...person }) => ({
        ...person,
        terms: terms && termsOfText(terms),
      }));
      return importSealed(parts, gallery, { ...batch, sealedWith: wrappedKey, people: sealed });
    },
  }),
] as const;

/** Options of every import. */
const importOptions = {
  gallery: required('--gallery <facegallery_id>', 'the gallery that people are enrolled in'),
  client: option('--client <client_id>', 'the client that it belongs to; not with --url'),
  createGallery: flag('--create-gallery', 'create the gallery if it does not exist'),
  pictures: option(
    '--pictures <number>',
    `pictures of a person at most, 1 to ${maxTemplates}`,
    wholeNumber(1, maxTemplates),
    maxTemplates as number,
  ),
  replace: flag('--replace', 'replace the templates of people who are enrolled already'),
  duplicates: option(
    '--duplicates <way>',
    'report: say whom a face looks like; refuse: do not enrol the person either',
    oneOf(['report', 'refuse']),
  ),
  force: flag(
    '--force',
    "enrol faces below the minimum size, and pictures that differ from the person's others",
  ),
  checkQuality: flag('--check-quality', 'refuse faces that fail a quality rule'),
  checkSingleFace: flag('--check-single-face', 'refuse pictures with more than one face'),
  dryRun: flag('--dry-run', 'analyse every picture and write nothing; with --url nothing is sent'),
  report: option(
    '--report <file>',
    'write a line for each picture: CSV if it ends in .csv, else JSON lines; continued',
  ),
  url: option('--url <url>', 'enrol over HTTP on this server, instead of in the store of this installation'),
  token: option('--token <token>', 'API token for --url; - reads it from the standard input'),
  parallel: option('--parallel <number>', 'with --url: people sent at once', wholeNumber(1, 64), 4),
  journal: option(
    '--journal <file>',
    'with --url: who was sent completely, for a resumed import',
    undefined,
    'wajah-import.journal',
  ),
};

/** People and their pictures come in, and go out with their templates. */
export const importCommands = [
  command({
    name: 'import',
    heading: 'Stored data:',
    line: 'enrol many people from stored pictures',
    about:
      'enrol many people from stored pictures; can be repeated: people who are enrolled already are skipped',
  }),
  tool('importFolder', {
    name: 'import folder',
    line: 'from a folder with a folder or file a person',
    about: 'from a folder with a folder or a file for each person, named by user_id',
    arguments: {
      path: argument(
        '<folder>',
        'staff/3174001/front.jpg or staff/3174001.jpg; _ in a name is a space of the user_name',
      ),
    },
    options: importOptions,
  }),
  tool('importCsv', {
    name: 'import csv',
    line: 'from a CSV file: user_id, user_name, file',
    about: 'from a CSV file with the columns user_id, user_name and file, and those of a consent',
    arguments: {
      path: argument(
        '<file>',
        'UTF-8; paths are relative to its folder; further rows of a user_id are further pictures',
      ),
    },
    options: importOptions,
  }),
  tool('importZip', {
    name: 'import zip',
    line: 'from a ZIP archive, laid out as a folder',
    about: 'from a ZIP archive, laid out as a folder; nothing is unpacked to the disk',
    arguments: { path: argument('<archive>', '3174001/front.jpg or 3174001.jpg in it') },
    options: {
      ...importOptions,
      root: option('--root <folder>', 'the folder inside the archive that holds them'),
    },
  }),
  tool('importPeople', {
    name: 'import people',
    line: 'from a file of wajah export',
    about: 'from a file of wajah export, with its templates; the same model pack is needed',
    arguments: { path: argument('<file>') },
    options: {
      ...importOptions,
      ...secretOptions,
      from: option('--from <facegallery_id>', 'the gallery of the file, if it holds several'),
      reembed: flag('--reembed', 'compute new templates from the kept crops, for another model pack'),
    },
  }),
  tool('importCompreFace', {
    name: 'import compreface',
    line: 'from CompreFace, by its API or its database',
    about:
      'from CompreFace: its subjects and their stored pictures, by its API or from its database. Its embeddings are of ' +
      'other networks and cannot be used: each picture gets a new template',
    options: {
      ...importOptions,
      api: option('--api <url>', 'address of CompreFace, such as http://localhost:8000; needs --key'),
      database: {
        ...option('--database <url>', 'its PostgreSQL database, postgres://…; only read'),
        conflicts: 'api',
      },
      key: option(
        '--key <x-api-key>',
        'API key of the recognition service; - reads it from the standard input',
      ),
    },
  }),
  tool('exportPeople', {
    name: 'export',
    heading: 'Stored data:',
    line: 'write people with templates into a sealed file',
    about:
      'write the people of a gallery, or of all galleries of a client, with templates and kept crops into a sealed ' +
      'file, for wajah import people of this or another installation',
    arguments: { file: argument('<file>', 'the new file; it must not exist') },
    options: {
      ...secretOptions,
      client: required('--client <client_id>', 'the client whose people are exported'),
      gallery: option('--gallery <facegallery_id>', 'only this gallery'),
      crops: flag('--no-crops', 'leave kept crops out'),
    },
  }),
] as const;
