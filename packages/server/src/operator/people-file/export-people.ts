import { resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import { OperatorError } from '../../errors.ts';
import type { SealedGallery } from '../../operations/migration.ts';
import type { AdminOperations, OperationInput } from '../../operations/table.ts';
import { readArchive, writeArchive } from '../../security/archive.ts';
import { SealError } from '../../security/vaults/sealing.ts';
import type { GalleryVault } from '../../security/vaults/template-vault.ts';
import { archiveSecret, type SecretFiles } from '../archive-secret.ts';
import { bytesOf, openGalleryVault, requireVault, toBase64 } from '../embedder.ts';
import { createPeopleLines, readPeople, templateText } from './people-lines.ts';

/** Read at a time; each may have 50 crops of up to 100 kB. */
const pagePeople = 10;

export interface ExportResult {
  readonly bytes: number;
  readonly galleries: number;
  readonly people: number;
}

/** Exports of people. @param program version */
export function exportOperations(config: Config, program: string) {
  return {
    /**
     * Writes the people of galleries with templates and, where they are kept, crops into a new sealed file.
     * @param progress receives the people written so far and all of them
     * @throws OperatorError when there is nobody, or the file cannot be written
     */
    async people(
      file: string,
      selection: OperationInput<'findGalleries'>,
      { withCrops, ...files }: SecretFiles & { readonly withCrops: boolean },
      operations: AdminOperations,
      progress: (people: number, total: number) => void,
    ): Promise<ExportResult> {
      const secret = archiveSecret(config, files);
      const vault = requireVault(config);
      const galleries = (await operations.findGalleries(selection)).filter(({ faces }) => faces > 0);
      if (galleries.length === 0) throw new OperatorError('nobody is enrolled there: nothing to export');
      const total = galleries.reduce((sum, { faces }) => sum + faces, 0);
      let people = 0;
      const lines = async function* () {
        const writer = createPeopleLines();
        for (const gallery of galleries) {
          const opened = openGalleryVault(vault, gallery);
          const { clientId, galleryId, embeddingSpec } = gallery;
          const named = { client_id: clientId, facegallery_id: galleryId };
          yield writer.gallery({ ...named, embedding_spec: embeddingSpec ?? '' });
          for await (const person of peopleOf(operations, gallery, opened, withCrops)) {
            yield writer.person(person);
            people += 1;
            progress(people, Math.max(people, total));
          }
        }
        yield writer.end();
      };
      const head = { kind: 'people', createdAt: new Date().toISOString(), program } as const;
      const verify = async (draft: string) => {
        for await (const _ of readPeople(readArchive(draft, 'people', secret)));
      };
      const bytes = await writeArchive(resolve(file), head, secret, lines(), verify);
      return { bytes, galleries: galleries.length, people };
    },
  };
}

async function* peopleOf(
  operations: AdminOperations,
  { id, galleryId, embeddingSpec }: SealedGallery,
  vault: GalleryVault,
  withCrops: boolean,
) {
  for (let after = ''; ; ) {
    const page = await operations.readPeople({ gallery: id, after, limit: pagePeople });
    for (const { userId, userName, template, crops, embeddingSpec: own, terms, isSuspended } of page) {
      // Kept, and not to be used: also not elsewhere.
      if (isSuspended) continue;
      if (own !== embeddingSpec) throw changed(galleryId);
      const opened = openPerson(galleryId, vault, userId, template, withCrops ? crops : []);
      yield { user_id: userId, user_name: userName, ...opened, terms };
    }
    const last = page.at(-1);
    if (!last) return;
    after = last.userId;
  }
}

function openPerson(
  galleryId: string,
  vault: GalleryVault,
  userId: string,
  template: string,
  crops: readonly string[],
) {
  try {
    return {
      templates: vault.openAll(userId, bytesOf(template)).map(templateText),
      crops: crops.map((crop) => {
        const { jpeg, box } = vault.openCrop(userId, bytesOf(crop));
        return { jpeg: toBase64(jpeg), box };
      }),
    };
  } catch (error) {
    if (error instanceof SealError) throw changed(galleryId, error);
    throw error;
  }
}

function changed(galleryId: string, cause?: Error): OperatorError {
  return new OperatorError(`${galleryId}: its key or pack was replaced meanwhile; export again`, { cause });
}
