import { setImmediate as nextTurn } from 'node:timers/promises';
import { SealError } from '../../security/vaults/sealing.ts';
import type { GalleryVault } from '../../security/vaults/template-vault.ts';
import type { MigratedTemplate, PendingFace } from '../../store/template-migration-store.ts';

/** Converts a template of an earlier version of a pack to one of the present version. */
export type TemplateUpgrade = (template: Float32Array) => Float32Array;

/** Access to the faces without a new template; those of an older server come without the present one. */
export interface MigrationSteps<Face = PendingFace> {
  next(after: number, limit: number): Promise<Face[]>;
  /** @returns false when another migration has started, or the gallery has another key */
  store(templates: readonly MigratedTemplate[]): Promise<boolean>;
}

/** Templates converted in one turn of the event loop: about 4 ms. */
const sliceFaces = 100;

/**
 * Converts the stored templates of every face without a new one, also of faces enrolled while it runs. Each slice is
 * stored, so it can be interrupted at any time and resumes when it is called again.
 * @param vault of the gallery
 * @returns false when another migration replaces this one, or the key of the gallery was replaced
 */
export async function upgradeFaces(
  steps: MigrationSteps,
  vault: GalleryVault,
  upgrade: TemplateUpgrade,
): Promise<boolean> {
  for (let after = 0; ; await nextTurn()) {
    const faces = await steps.next(after, sliceFaces);
    const last = faces.at(-1);
    if (!last) return true;
    const templates = faces.map(({ userId, seq, template }) => ({
      ...{ userId, seq },
      // One that does not open stays as it is: it must not keep its gallery from the others.
      template: upgradeSealed(vault, userId, template, upgrade) ?? template,
    }));
    if (!(await steps.store(templates))) return false;
    after = last.seq;
  }
}

/** @param sealed the templates of a person @returns as many, converted and sealed; null: they are damaged */
export function upgradeSealed(
  vault: GalleryVault,
  userId: string,
  sealed: Uint8Array,
  upgrade: TemplateUpgrade,
): Uint8Array | null {
  try {
    return vault.sealAll(userId, vault.openAll(userId, sealed).map(upgrade));
  } catch (error) {
    if (error instanceof SealError || error instanceof RangeError) return null;
    throw error;
  }
}
