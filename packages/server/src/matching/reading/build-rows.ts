import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GalleryVault } from '../../security/vaults/template-vault.ts';
import type { FaceStore } from '../../store/store.ts';
import { MatrixRows, type PackedRows } from '../matrix/matrix-rows.ts';
import type { Allocator } from '../scan/arenas.ts';

/** A gallery to read, and how. */
interface BuildSource {
  readonly faces: Pick<FaceStore, 'slice'>;
  readonly vault: Pick<GalleryVault, 'open'>;
  readonly arenas: Allocator;
  readonly gallery: number;
  /** How new a copy of the store must be. */
  readonly version: number;
  /** Faces read at a time. */
  readonly sliceFaces: number;
  /** Called with how many faces were read so far. @throws to give up */
  readonly onProgress: (read: number) => void;
}

/** What was read: whoever was written up to `version`, and perhaps some who have been removed since. */
export interface BuiltRows {
  readonly rows: PackedRows;
  readonly version: number;
}

/**
 * Reads a whole gallery.
 * @throws Error when there is no such gallery, nobody in it, templates of two lengths, or it is to be given up
 */
export async function buildRows(building: BuildSource): Promise<BuiltRows> {
  const { faces, vault, arenas, gallery, version, sliceFaces, onProgress: goOn } = building;
  let rows: MatrixRows | undefined;
  let newest = version;
  let read = 0;
  for (let after = 0; ; await nextTurn()) {
    goOn(read);
    const slice = await faces.slice(gallery, after, sliceFaces, newest);
    if (!slice) throw new Error('the gallery is gone');
    newest = Math.max(newest, slice.version);
    for (const face of slice.faces) {
      const template = vault.open(face.userId, face.template);
      // What is given up here is the lender's to take back.
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
