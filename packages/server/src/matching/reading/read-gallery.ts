import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GalleryVault } from '../../security/vaults/template-vault.ts';
import type { FaceStore } from '../../store/store.ts';
import { MatrixRows, type PackedRows } from '../matrix/matrix-rows.ts';
import type { Allocator } from '../scan/arenas.ts';
import type { OpenedSlice } from './messages.ts';

/** A gallery to read. */
interface BuildSource {
  readonly faces: Pick<FaceStore, 'slice'>;
  readonly vault: Pick<GalleryVault, 'open'>;
  readonly arenas: Allocator;
  readonly gallery: number;
  /** Minimum version of a replica of the store. */
  readonly version: number;
  /** Faces read at a time. */
  readonly sliceFaces: number;
  /** Called with the number of faces read; throws to cancel. */
  readonly onProgress: (read: number) => void;
}

/** Faces written up to `version`; some may have been removed since. */
export interface BuiltRows {
  readonly rows: PackedRows;
  readonly version: number;
}

/**
 * Reads a whole gallery.
 * @throws Error when the gallery does not exist or is empty, or has templates of two lengths, or on cancellation
 */
export async function buildRows(source: BuildSource): Promise<BuiltRows> {
  const { faces, vault, arenas, gallery, version, sliceFaces, onProgress } = source;
  let rows: MatrixRows | undefined;
  let newest = version;
  let read = 0;
  for (let after = 0; ; await nextTurn()) {
    onProgress(read);
    const slice = await faces.slice(gallery, after, sliceFaces, newest);
    if (!slice) throw new Error('the gallery is gone');
    newest = Math.max(newest, slice.version);
    for (const face of slice.faces) {
      const template = vault.open(face.userId, face.template);
      // The main thread releases the memory of a failed job.
      rows ??= new MatrixRows(arenas, template.length, () => {});
      rows.put(face, template, true);
    }
    read += slice.faces.length;
    if (slice.faces.length < sliceFaces) {
      if (!rows) throw new Error('the gallery is empty');
      return { rows: rows.pack(), version: slice.version };
    }
    after = slice.faces.at(-1)!.seq;
  }
}

type SliceSource = Pick<BuildSource, 'faces' | 'vault' | 'gallery' | 'version'>;

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
