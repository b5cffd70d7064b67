import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { maxTemplates } from '@wajah/contract';
import {
  type AdminOperations,
  type Config,
  type GalleryVault,
  loadConfig,
  megabytes,
  OperatorError,
  openedOrNull,
  operationsOf,
  personTerms,
  type SealedGallery,
  showProgress,
  type ToolCommands,
  version,
} from '@wajah/server/commands';
import { z } from 'zod';
import { type ArchiveSecret, archiveSecret, readArchive, writeArchive } from './archive.ts';
import { bytesOf, openGalleryVault, requireVault, toBase64 } from './embedder.ts';
import type { ExportedFace, ImportPerson, ImportSource } from './import/people.ts';

/** A gallery of an export; its people follow. */
const exportedGallery = z.object({
  client_id: z.string(),
  facegallery_id: z.string(),
  /** Of the templates, JSON. */
  embedding_spec: z.string().refine(isJson),
});

/** A person of an export, as text. */
const exportedPerson = z.object({
  user_id: z.string().min(1),
  user_name: z.string(),
  /** float32, little-endian, base64. */
  templates: z.array(z.string().refine((text) => Buffer.byteLength(text, 'base64') % 4 === 0)).readonly(),
  /** JPEG as base64, and the box of the face in it, pixels. */
  crops: z
    .array(
      z.object({
        jpeg: z.string(),
        box: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
      }),
    )
    .readonly(),
  /** Consent and end of retention. */
  terms: personTerms,
});

/** Who holds the key may have written anything. */
const peopleLine = z.union([
  z.strictObject({ gallery: exportedGallery }),
  z.strictObject({ person: exportedPerson }),
  z.strictObject({ end: z.object({ people: z.int(), sha256: z.string() }) }),
]);

export type ExportedGallery = Readonly<z.infer<typeof exportedGallery>>;
export type ExportedPerson = Readonly<z.infer<typeof exportedPerson>>;
type PeopleLine = z.infer<typeof peopleLine>;

/** Writes the lines of an export, and at its end their number and digest. */
export function createPeopleLines() {
  const hash = createHash('sha256');
  let people = 0;
  const add = (line: PeopleLine) => {
    const text = `${JSON.stringify(line)}\n`;
    hash.update(text);
    return text;
  };
  return {
    gallery: (gallery: ExportedGallery) => add({ gallery }),
    person: (person: ExportedPerson) => {
      people += 1;
      return add({ person });
    },
    end: () => `${JSON.stringify({ end: { people, sha256: hash.digest('hex') } })}\n`,
  };
}

/** The people of an export with their galleries. @throws OperatorError when it is damaged or its end is missing */
export async function* readPeople(
  lines: AsyncIterable<string>,
): AsyncGenerator<{ readonly gallery: ExportedGallery; readonly person: ExportedPerson | null }> {
  const hash = createHash('sha256');
  let gallery: ExportedGallery | undefined;
  let isComplete = false;
  for await (const text of lines) {
    const line = parseLine(text);
    if ('end' in line) isComplete = line.end.sha256 === hash.digest('hex');
    else {
      hash.update(`${text}\n`);
      if ('gallery' in line) gallery = line.gallery;
      if (gallery) yield { gallery, person: 'person' in line ? line.person : null };
    }
  }
  if (!isComplete) throw new OperatorError('the export is damaged or incomplete');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function parseLine(text: string): PeopleLine {
  try {
    return peopleLine.parse(JSON.parse(text));
  } catch (error) {
    throw new OperatorError('the export is damaged: a line cannot be read', { cause: error });
  }
}

export function templateText(template: Float32Array): string {
  return Buffer.from(template.buffer, template.byteOffset, template.byteLength).toString('base64');
}

export function templateOfText(text: string): Float32Array {
  // A copy, since the bytes need not be aligned to four.
  return new Float32Array(new Uint8Array(Buffer.from(text, 'base64')).buffer);
}

/** Read at a time; each may have 50 crops of up to 100 kB. */
const pagePeople = 10;

/**
 * Writes the people of galleries with templates and, where they are kept, crops into a new sealed file.
 * @param progress receives the people written so far and all of them
 * @throws OperatorError when there is nobody, or the file cannot be written
 */
async function writePeople(
  config: Config,
  file: string,
  secret: ArchiveSecret,
  galleries: readonly SealedGallery[],
  read: (gallery: SealedGallery, opened: GalleryVault) => AsyncIterable<ExportedPerson>,
  progress: (people: number, total: number) => void,
) {
  const vault = requireVault(config);
  if (galleries.length === 0) throw new OperatorError('nobody is enrolled there: nothing to export');
  const total = galleries.reduce((sum, { faces }) => sum + faces, 0);
  let people = 0;
  const lines = async function* () {
    const writer = createPeopleLines();
    for (const gallery of galleries) {
      const { clientId, galleryId, embeddingSpec } = gallery;
      const named = { client_id: clientId, facegallery_id: galleryId };
      yield writer.gallery({ ...named, embedding_spec: embeddingSpec ?? '' });
      for await (const person of read(gallery, openGalleryVault(vault, gallery))) {
        yield writer.person(person);
        people += 1;
        progress(people, Math.max(people, total));
      }
    }
    yield writer.end();
  };
  const head = { kind: 'people', createdAt: new Date().toISOString(), program: version } as const;
  const verify = async (draft: string) => {
    for await (const _ of readPeople(readArchive(draft, 'people', secret)));
  };
  const bytes = await writeArchive(resolve(file), head, secret, lines(), verify);
  return { bytes, galleries: galleries.length, people };
}

async function* peopleOf(
  operations: AdminOperations,
  { id, galleryId, embeddingSpec }: SealedGallery,
  vault: GalleryVault,
  withCrops: boolean,
  onDamage: () => void,
) {
  for (let after = ''; ; ) {
    const page = await operations.readPeople({ gallery: id, after, limit: pagePeople });
    for (const { userId, userName, template, crops, embeddingSpec: own, terms, isSuspended } of page) {
      // Kept, and not to be used: also not elsewhere.
      if (isSuspended) continue;
      if (own !== embeddingSpec) throw changed(galleryId);
      const opened = openPerson(vault, userId, template, withCrops ? crops : []);
      if (!opened) {
        onDamage();
        continue;
      }
      yield { user_id: userId, user_name: userName, ...opened, terms };
    }
    const last = page.at(-1);
    if (!last) return;
    after = last.userId;
  }
}

/** @returns null when the templates do not open; a crop that does not is left out */
function openPerson(vault: GalleryVault, userId: string, template: string, crops: readonly string[]) {
  const templates = openedOrNull(() => vault.openAll(userId, bytesOf(template)));
  if (!templates) return null;
  return {
    templates: templates.map(templateText),
    crops: crops.flatMap((crop) => {
      const opened = openedOrNull(() => vault.openCrop(userId, bytesOf(crop)));
      return opened ? [{ jpeg: toBase64(opened.jpeg), box: opened.box }] : [];
    }),
  };
}

function changed(galleryId: string): OperatorError {
  return new OperatorError(`${galleryId}: its pack was replaced meanwhile; export again`);
}

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

/** `wajah export` */
export const exportPeople: ToolCommands['exportPeople'] = async ({ reach, terminal, env }, line) => {
  const { file, client, gallery, crops, ...secret } = line;
  if (secret.passphraseFile === undefined && secret.keyFile === undefined) {
    throw new OperatorError(
      'give --passphrase-file or --key-file: another installation has another master key',
    );
  }
  const progress = showProgress('exported', terminal, 'people');
  const config = loadConfig(env);
  const archive = archiveSecret(config, secret);
  let damaged = 0;
  const onDamage = () => {
    damaged += 1;
  };
  const { bytes, people, galleries } = await reach(async (perform) => {
    const operations = operationsOf(perform);
    const found = await operations.findGalleries({ clientId: client, galleryId: gallery ?? null });
    const enrolled = found.filter(({ faces }) => faces > 0);
    const read = (one: SealedGallery, opened: GalleryVault) =>
      peopleOf(operations, one, opened, crops, onDamage);
    return writePeople(config, file, archive, enrolled, read, progress.update);
  }).finally(progress.end);
  terminal.out(
    `Wrote ${file} (${megabytes(bytes)}): ${people} ${people === 1 ? 'person' : 'people'} of ${galleries} ${galleries === 1 ? 'gallery' : 'galleries'}.`,
  );
  if (damaged > 0)
    terminal.note(`${damaged} left out: the stored template is damaged. \`wajah gallery check\` names each.`);
};
