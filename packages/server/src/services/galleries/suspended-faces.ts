import { yieldingPause } from '../../lib/event-loop-yielder.ts';
import { openedOrNull } from '../../security/vaults/sealing.ts';
import type { TemplateVault } from '../../security/vaults/template-vault.ts';
import type { GalleryRecord } from '../../store/ports/galleries.ts';
import type { Store } from '../../store/ports/store.ts';
import type { SuspendedFace } from './ports.ts';

/** People who are stored and not matched; opened at a time. */
const sliceFaces = 1000;

/**
 * The faces of a gallery's suspended people whose time has not ended, for the searches for duplicates alone: nobody ends a
 * suspension unnoticed by enrolling the person again. One that does not open is left out, as in searches.
 */
export async function suspendedFaces(
  { store, vault }: { readonly store: Pick<Store, 'faces' | 'people'>; readonly vault: TemplateVault },
  gallery: GalleryRecord,
): Promise<SuspendedFace[]> {
  const opener = vault.gallery(gallery);
  const pause = yieldingPause();
  const opened: SuspendedFace[] = [];
  for (let after = 0; ; ) {
    const { faces = [] } = (await store.faces.slice(gallery.id, after, sliceFaces, 'suspended')) ?? {};
    const userIds = faces.map(({ userId }) => userId);
    const ended = await store.people.ended(gallery.id, userIds, new Date());
    for (const { userId, userName, seq, template: sealed } of faces) {
      await pause();
      const template = ended.has(userId) ? null : openedOrNull(() => opener.open(userId, sealed));
      if (template) opened.push({ userId, userName, seq, template });
    }
    if (faces.length < sliceFaces) return opened;
    after = faces.at(-1)!.seq;
  }
}
