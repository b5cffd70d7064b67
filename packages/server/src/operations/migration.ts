import { z } from 'zod';
import { OperatorError } from '../errors.ts';
import {
  type Answer,
  bytes,
  call,
  command,
  confirmed,
  flag,
  operation,
  option,
  required,
  tool,
} from './command.ts';
import { findGalleries as galleriesOf, sealedGallery, selection } from './galleries.ts';

/** A gallery with what is needed to open and seal its templates. */
export type SealedGallery = Answer<typeof findGalleries>[number];

const findGalleries = operation('findGalleries', {
  input: selection,
  act: null,
  run: async ({ store }, selected) => (await galleriesOf(store, selected)).map(sealedGallery),
});

/** Internal number of a gallery, and the embedding spec (JSON) that its templates are migrated to. */
const migration = z.object({ gallery: z.int().positive(), embeddingSpec: z.string().min(1) });

/** Templates that are migrated to another pack. */
export const migrationOperations = [
  findGalleries,
  operation('beginMigration', {
    input: migration,
    act: ({ gallery }) => [null, { gallery }],
    /** @returns number of faces without a template of that spec; null: the gallery is migrated or deleted */
    run: async ({ store: { templateMigration } }, { gallery, embeddingSpec }) => {
      await templateMigration.begin(gallery, embeddingSpec);
      return templateMigration.countPending(gallery, embeddingSpec);
    },
  }),
  operation('nextFaces', {
    input: migration.extend({ after: z.int().min(0), limit: z.int().min(1).max(1000) }),
    act: null,
    run: ({ store: { templateMigration } }, { gallery, embeddingSpec, after, limit }) =>
      templateMigration.nextPending(gallery, embeddingSpec, after, limit),
  }),
  operation('storeTemplates', {
    input: migration.extend({
      /** Key that they were sealed with, as the gallery has it. */
      wrappedKey: bytes,
      templates: z.array(z.object({ userId: z.string(), seq: z.int(), template: bytes.nullable() })),
    }),
    // The record of `beginMigration` is that of all batches.
    act: null,
    /** @returns false if another command migrates the gallery to another pack, or its key was replaced */
    run: ({ store: { templateMigration } }, { gallery, embeddingSpec, wrappedKey, templates }) =>
      templateMigration.storeTemplates(gallery, embeddingSpec, templates, wrappedKey),
  }),
] as const;

/** Options that name galleries. */
const selectionOptions = {
  client: option('--client <client_id>', 'only the galleries of this client'),
  gallery: option('--gallery <facegallery_id>', 'only this gallery of the client'),
};

/** @throws OperatorError for a gallery without its client */
function selectionOf(given: {
  readonly client: string | undefined;
  readonly gallery: string | undefined;
}): z.output<typeof selection> {
  const { client, gallery } = given;
  if (gallery !== undefined && client === undefined) {
    throw new OperatorError('--gallery needs --client: names of galleries are those of a client');
  }
  return { clientId: client ?? null, galleryId: gallery ?? null };
}

function packName(given: string): string {
  if (/^[a-z0-9][a-z0-9-]*$/.test(given)) return given;
  throw new OperatorError('Allowed: builtin, or a name that `models list` shows.');
}

/** Templates of another pack. */
export const migrationCommands = [
  tool('reembed', {
    name: 'reembed',
    heading: 'Stored data:',
    line: 'migrate templates to another model pack',
    about:
      'prepare templates of another model pack, computed from the stored face crops while the server keeps ' +
      'using the current ones; a server that starts with the pack switches; resumable',
    options: {
      to: required('--to <pack>', 'builtin, or the name of an installed pack', packName),
      leaveOut: flag(
        '--leave-out',
        'delete the faces that no template can be computed for, so that their gallery can switch',
      ),
      ...selectionOptions,
    },
  }),
] as const;

/** Stored face crops. */
export const cropCommands = [
  command({
    name: 'crops',
    heading: 'Stored data:',
    line: 'erase stored face crops',
    about: 'manage the stored crops of enrolled faces (WAJAH_KEEP_FACE_CROPS)',
  }),
  call({
    name: 'crops erase',
    about: 'erase stored face crops; the faces stay enrolled',
    options: { yes: flag('--yes', 'do not ask'), ...selectionOptions },
    calls: operation('eraseCrops', {
      input: selection,
      act: ({ clientId, galleryId }) => [clientId, galleryId === null ? {} : { facegallery_id: galleryId }],
      run: async ({ store }, selected) => {
        const found = await galleriesOf(store, selected);
        return { galleries: found.length, crops: await store.crops.erase(found.map(({ id }) => id)) };
      },
    }),
    read: async ({ yes, ...given }, terminal) => {
      const selected = selectionOf(given);
      const what = selected.galleryId ?? selected.clientId ?? 'all clients';
      await confirmed(terminal, yes, `Erase the face crops of ${what}? This cannot be undone.`);
      return selected;
    },
    print: ({ crops, galleries }, _, { out }) => out(`Erased ${crops} face crops of ${galleries} galleries.`),
  }),
] as const;
