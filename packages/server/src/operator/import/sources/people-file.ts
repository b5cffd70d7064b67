import { resolve } from 'node:path';
import { maxTemplates } from '@wajah/contract';
import { OperatorError } from '../../../errors.ts';
import { type ArchiveSecret, readArchive } from '../../../security/archive.ts';
import { bytesOf } from '../../embedder.ts';
import {
  type ExportedGallery,
  type ExportedPerson,
  readPeople,
  templateOfText,
} from '../../people-file/people-lines.ts';
import type { ExportedFace, ImportPerson, ImportSource } from '../people.ts';

interface PeopleChoice {
  /** The gallery of the file; undefined: the only one. */
  readonly from: string | undefined;
  /** Leaves the templates out and computes new ones from the crops. */
  readonly reembed: boolean;
}

/**
 * An export of people. The file is read twice: first to its end, which verifies it, then while people are written.
 * @throws OperatorError when it does not open, or holds several galleries and none is chosen
 */
export async function openPeopleFile(
  file: string,
  { from, reembed }: PeopleChoice,
  secret: ArchiveSecret,
): Promise<ImportSource> {
  const read = () => readPeople(readArchive(resolve(file), 'people', secret));
  const galleries = new Map<string, { gallery: ExportedGallery; pictures: number }>();
  for await (const { gallery, person } of read()) {
    const found = galleries.get(nameOf(gallery)) ?? { gallery, pictures: 0 };
    if (person && !reembed) requireDimensions(file, gallery, person);
    if (person) found.pictures += facesOf(person, reembed).length;
    galleries.set(nameOf(gallery), found);
  }
  const { gallery: chosen, pictures } = choose(file, [...galleries.values()], from);
  return {
    people: selected(read(), chosen, reembed),
    total: pictures,
    ...(reembed ? {} : { embeddingSpec: chosen.embedding_spec }),
    refused: [],
    close: async () => undefined,
  };
}

/** @throws OperatorError when a template has another length than the pack that the gallery names */
function requireDimensions(
  file: string,
  { embedding_spec: spec }: ExportedGallery,
  { user_id: userId, templates }: ExportedPerson,
): void {
  const { dimensions } = JSON.parse(spec) as { dimensions: number };
  if (templates.every((template) => templateOfText(template).length === dimensions)) return;
  throw new OperatorError(`${file}: a template of ${userId} has another length than its pack has`);
}

const nameOf = ({ client_id: client, facegallery_id: gallery }: ExportedGallery) =>
  JSON.stringify([client, gallery]);

function choose<T extends { readonly gallery: ExportedGallery }>(
  file: string,
  galleries: readonly T[],
  from: string | undefined,
): T {
  const matching = galleries.filter(({ gallery }) => from === undefined || gallery.facegallery_id === from);
  const [only] = matching;
  if (only && matching.length === 1) return only;
  const names = galleries.map(({ gallery }) => gallery.facegallery_id).join(', ');
  throw new OperatorError(`${file} holds the galleries ${names}; choose one of them with --from`);
}

async function* selected(
  people: ReturnType<typeof readPeople>,
  chosen: ExportedGallery,
  reembed: boolean,
): AsyncGenerator<ImportPerson> {
  for await (const { gallery, person } of people) {
    if (!person || nameOf(gallery) !== nameOf(chosen)) continue;
    const pictures = facesOf(person, reembed).map((exported, index) => ({
      file: `${index + 1}`,
      read: () => Promise.reject(new Error('an export holds no pictures')),
      exported,
    }));
    yield { userId: person.user_id, userName: person.user_name, pictures, terms: person.terms };
  }
}

/** The newest crops belong to the templates; where templates are left out, each of the newest crops gets one. */
function facesOf({ templates, crops }: ExportedPerson, reembed: boolean): ExportedFace[] {
  const kept = crops.map(({ jpeg, box }) => ({ jpeg: bytesOf(jpeg), box }));
  if (reembed) {
    const newest = kept.slice(-maxTemplates).map((crop) => ({ template: null, crop }));
    return newest.length > 0 ? newest : [{ template: null, crop: null }];
  }
  const offset = kept.length - templates.length;
  return templates.map((template, index) => ({
    template: templateOfText(template),
    crop: kept[offset + index] ?? null,
  }));
}
