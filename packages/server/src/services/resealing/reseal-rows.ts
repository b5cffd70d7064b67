import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FrameVault } from '../../security/vaults/frame-vault.ts';
import type { RecordingVault } from '../../security/vaults/recording-vault.ts';
import { SealError } from '../../security/vaults/sealing.ts';
import type { TemplateVault } from '../../security/vaults/template-vault.ts';
import type { WebhookVault } from '../../security/vaults/webhook-vault.ts';
import {
  firstPlace,
  type GalleryKind,
  galleryKinds,
  type MasterKind,
  masterKinds,
  type SealedKind,
  type SealedPlace,
  type SealedRow,
} from '../../store/sealed-store.ts';
import type { GalleryRecord, Store } from '../../store/store.ts';

/** Vaults of the rows that are sealed under keys derived from the master key. */
export interface RowVaults {
  readonly frameVault: Pick<FrameVault, 'reseal'>;
  readonly recordingVault: Pick<RecordingVault, 'reseal'>;
  readonly webhookVault: Pick<WebhookVault, 'reseal'>;
}

/** Counts rows that open under no key. */
export interface Damaged {
  rows: number;
}

type Reseal = (row: SealedRow) => Uint8Array | null;

/** Rows sealed anew in one turn of the event loop: a part of a recorded session has 128 KiB. */
const sliceRows = 16;

/**
 * Gives a gallery a new data key, seals its rows anew, and erases the former key. The first step is one transaction:
 * from then on every row that is written is sealed under the new key, and both keys open.
 * @returns false when nothing was to be done
 * @throws the reason of the signal
 */
export async function resealGallery(
  store: Store,
  vault: TemplateVault,
  listed: GalleryRecord,
  damaged: Damaged,
  signal: AbortSignal,
): Promise<boolean> {
  let gallery = listed;
  for (;;) {
    signal.throwIfAborted();
    const renewed = renewalOf(vault, gallery);
    if (renewed === 'damaged') {
      damaged.rows += 1;
      return false;
    }
    if (!renewed && gallery.formerKey === null) return false;
    if (!renewed) break;
    if (await store.galleries.replaceKeys(gallery.id, gallery.wrappedKey, renewed)) {
      gallery = { ...gallery, ...renewed };
      break;
    }
    // Another server was first, or the gallery was erased.
    const now = await store.galleries.get(gallery.clientId, gallery.galleryId);
    if (now?.id !== gallery.id) return false;
    gallery = now;
  }
  const opened = vault.gallery(gallery);
  const resealOf = (kind: GalleryKind): Reseal => {
    const what = kind === 'crop' || kind === 'cohort' ? kind : 'templates';
    return ({ name, sealed }) => opened.reseal(what, name, sealed);
  };
  for (const kind of galleryKinds) await resealRows(store, kind, gallery.id, resealOf(kind), damaged, signal);
  const { wrappedKey } = gallery;
  await store.galleries.replaceKeys(gallery.id, wrappedKey, { wrappedKey, formerKey: null });
  return true;
}

/** @returns null when its keys are under the first master key */
export function renewalOf(vault: Pick<TemplateVault, 'renewKeys'>, gallery: GalleryRecord) {
  try {
    return vault.renewKeys(gallery);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    return 'damaged';
  }
}

/** Seals recorded sessions and remembered frames anew. @throws the reason of the signal */
export async function resealMasterRows(
  store: Store,
  { frameVault, recordingVault, webhookVault }: RowVaults,
  damaged: Damaged,
  signal: AbortSignal,
): Promise<void> {
  const reseals: Readonly<Record<MasterKind, Reseal>> = {
    frameHash: ({ name, sealed }) => frameVault.reseal('hash', name, sealed),
    frameDetail: ({ name, sealed }) => frameVault.reseal('detail', name, sealed),
    webhookSecret: ({ name: id, clientId, sealed }) => webhookVault.reseal({ clientId, id }, sealed),
    judgement: ({ name: id, clientId, sealed }) => recordingVault.reseal({ clientId, id }, null, sealed),
    recordedPart: ({ name: id, part, clientId, sealed }) =>
      recordingVault.reseal({ clientId, id }, part, sealed),
  };
  for (const kind of masterKinds) await resealRows(store, kind, 0, reseals[kind], damaged, signal);
}

async function resealRows(
  { sealed: rows }: Store,
  kind: SealedKind,
  gallery: number,
  reseal: Reseal,
  damaged: Damaged,
  signal: AbortSignal,
): Promise<void> {
  for (let after: SealedPlace = firstPlace; ; await nextTurn()) {
    signal.throwIfAborted();
    const slice = await rows.next(kind, gallery, after, sliceRows);
    await Promise.all(slice.map((row) => resealRow(rows, kind, gallery, row, reseal, damaged)));
    const last = slice.at(-1);
    if (!last || slice.length < sliceRows) return;
    after = last;
  }
}

async function resealRow(
  rows: Store['sealed'],
  kind: SealedKind,
  gallery: number,
  row: SealedRow,
  reseal: Reseal,
  damaged: Damaged,
): Promise<void> {
  try {
    const sealed = reseal(row);
    if (sealed) await rows.replace(kind, gallery, row, sealed);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    damaged.rows += 1;
  }
}
