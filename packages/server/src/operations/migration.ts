import { z } from 'zod';
import { OperatorError } from '../errors.ts';
import { requireClient } from '../services/accounts/clients.ts';
import { allGalleries } from '../services/galleries/lookup.ts';
import type { GalleryRecord, Store } from '../store/ports.ts';
import { type Answer, bytes, flag, operation, option, required, tool } from './command.ts';

/** All galleries of a client, or one of them; both null: those of all clients. */
const selection = z.object({ clientId: z.string().nullable(), galleryId: z.string().nullable() });

/** What is needed to open and seal its templates. */
function sealedGallery(gallery: GalleryRecord) {
  const { id, clientId, galleryId, wrappedKey, embeddingSpec, faces } = gallery;
  return { id, clientId, galleryId, wrappedKey, embeddingSpec, faces };
}

async function galleriesOf(
  store: Pick<Store, 'clients' | 'galleries'>,
  { clientId, galleryId }: z.output<typeof selection>,
): Promise<GalleryRecord[]> {
  if (clientId === null) return allGalleries(store);
  await requireClient(store, clientId);
  const all = await store.galleries.list(clientId);
  const found = galleryId === null ? all : all.filter((one) => one.galleryId === galleryId);
  if (found.length > 0 || galleryId === null) return found;
  throw new OperatorError(
    `facegallery_id: ${clientId} has no gallery ${JSON.stringify(galleryId)}; list its galleries`,
  );
}

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
