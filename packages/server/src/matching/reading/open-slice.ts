import type { GalleryVault } from '../../security/vaults/template-vault.ts';
import type { FaceStore } from '../../store/store.ts';
import type { OpenedSlice } from './messages.ts';

/** Whose faces, and how new a copy of the store must be. */
interface SliceSource {
  readonly faces: Pick<FaceStore, 'slice'>;
  readonly vault: Pick<GalleryVault, 'open'>;
  readonly gallery: number;
  readonly version: number;
}

/** @throws Error when there is no such gallery, or templates have two lengths; SealError when one does not open */
export async function openSlice(source: SliceSource, after: number, limit: number): Promise<OpenedSlice> {
  const { vault, gallery, version: newest } = source;
  const slice = await source.faces.slice(gallery, after, limit, newest);
  if (!slice) throw new Error('the gallery is gone');
  const { version, total } = slice;
  const opened = slice.faces.map(({ userId, template }) => vault.open(userId, template));
  const dimensions = opened[0]?.length ?? 0;
  const templates = new Float32Array(opened.length * dimensions);
  for (const [index, template] of opened.entries()) {
    if (template.length !== dimensions) throw new Error('templates of two lengths');
    templates.set(template, index * dimensions);
  }
  const faces = slice.faces.map(({ userId, userName, seq }) => ({ userId, userName, seq }));
  return { version, total, faces, templates };
}
