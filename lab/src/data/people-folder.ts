import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EvalFolder, type Split } from './eval-folder.ts';
import { identitiesOf } from './identities.ts';

/** A picture with its identity. */
export interface LabelledPicture {
  readonly identity: string;
  /** Path inside the folder. */
  readonly file: string;
  /** Collection that it comes from. */
  readonly subset: string;
  readonly region: string | null;
  read(): Uint8Array;
}

const pictureName = /\.(jpe?g|png)$/i;

/**
 * Pictures of people in a folder: the task `verification` of labelled data, else one folder of pictures for each person.
 * @param split of labelled data; ignored for folders of people
 * @throws Error that names the layouts accepted
 */
export function peopleIn(root: string, split: Split): LabelledPicture[] {
  if (existsSync(join(root, 'verification', 'manifest.json'))) return labelled(new EvalFolder(root), split);
  const pictures = existsSync(root) ? foldersOfPeople(root) : [];
  if (pictures.length > 0) return pictures;
  throw new Error(
    `${root} holds neither verification/manifest.json nor one folder of JPEG or PNG pictures for each person`,
  );
}

function labelled(folder: EvalFolder, split: Split): LabelledPicture[] {
  const entries = folder.entries('verification', split);
  const identities = identitiesOf(entries, folder.hasPairs(split) ? folder.pairs(split) : []);
  return entries.map(({ file, region }, index) => ({
    identity: identities[index]!,
    file,
    subset: file.split('/')[0] ?? '',
    region: region ?? null,
    read: () => folder.bytes('verification', file),
  }));
}

/** One folder of pictures for each person. */
export function foldersOfPeople(root: string): LabelledPicture[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ name }) =>
      readdirSync(join(root, name))
        .filter((file) => pictureName.test(file))
        .sort()
        .map((file) => ({
          identity: name,
          file: `${name}/${file}`,
          subset: 'folders',
          region: null,
          read: () => readFileSync(join(root, name, file)),
        })),
    );
}
