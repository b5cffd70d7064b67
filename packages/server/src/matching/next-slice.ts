import type { TemplateVault } from '../security/vaults/template-vault.ts';
import type { FaceStore, GalleryRecord } from '../store/store.ts';
import type { MatrixFace } from './matrix/matrix-rows.ts';
import type { GalleryReader } from './reading/gallery-reader.ts';

/** The next faces in order of seq, as `FaceStore.slice`. */
export interface OpenableSlice {
  readonly version: number;
  readonly total: number;
  readonly faces: readonly MatrixFace[];
  /** @throws SealError when it does not open */
  template(index: number): Float32Array;
}

interface SliceParts {
  readonly faces: Pick<FaceStore, 'slice' | 'list'>;
  readonly vault: TemplateVault;
  /** Worker that reads and opens them; null: this thread. */
  readonly reader: Pick<GalleryReader, 'slice' | 'list'> | null;
}

/**
 * @param version minimum version of a replica of the store; undefined: the primary
 * @returns null when the gallery does not exist
 */
export async function readSlice(
  { faces, vault, reader }: SliceParts,
  gallery: GalleryRecord,
  after: number,
  limit: number,
  version: number | undefined,
): Promise<OpenableSlice | null> {
  const opened =
    reader && version !== undefined ? await reader.slice({ ...gallery, version }, after, limit) : null;
  if (opened) {
    const { templates } = opened;
    const dimensions = templates.length / opened.faces.length;
    const template = (index: number) => templates.subarray(index * dimensions, (index + 1) * dimensions);
    return { ...opened, template };
  }
  const slice = await faces.slice(gallery.id, after, limit, version);
  if (!slice) return null;
  const galleryVault = slice.faces.length > 0 ? vault.gallery(gallery) : null;
  const template = (index: number) => {
    const face = slice.faces[index]!;
    return galleryVault!.open(face.userId, face.template);
  };
  return { ...slice, template };
}

/** @returns the next user_ids after `after`, in order, from the primary */
export async function readUserIds(
  { faces, reader }: SliceParts,
  gallery: GalleryRecord,
  after: string,
  limit: number,
): Promise<string[]> {
  const listed = await reader?.list(gallery, after, limit);
  return (
    listed ?? (await faces.list(gallery.id, { after, limit, matched: true })).map(({ userId }) => userId)
  );
}
