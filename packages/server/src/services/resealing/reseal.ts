import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { EventLog, Events } from '../../events.ts';
import type { StoredAuditChain } from '../../security/audit-chain.ts';
import { keyDigest, masterKeyCheck, recordMasterKey } from '../../security/keys/master-key.ts';
import type { SigningKeys } from '../../security/keys/signing-keys.ts';
import type { FrameVault, RecordingVault, WebhookVault } from '../../security/vaults/row-vaults.ts';
import { type Keys, SealError } from '../../security/vaults/sealing.ts';
import type { TemplateVault } from '../../security/vaults/template-vault.ts';
import type { GalleryRecord } from '../../store/gallery-store.ts';
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
import type { Store } from '../../store/store.ts';
import { allGalleries } from '../galleries/lookup.ts';

interface ResealDependencies extends RowVaults {
  readonly store: Store;
  readonly vault: TemplateVault;
  readonly signingKeys: Pick<SigningKeys, 'reseal'>;
  readonly chain: Pick<StoredAuditChain, 'reseal'>;
  readonly events: Pick<Events, 'administered'>;
  readonly masterKeys: Keys;
}

/** Milliseconds until an attempt that failed is repeated: the store may be full or unreachable. */
const retryMs = 10_000;

/**
 * Replaces the former master key while the server serves: each gallery gets a new data key, and its rows, recorded
 * sessions and remembered frames are sealed anew; the signing keys and the key of the audit trail are wrapped anew. What
 * was done stays done: an interrupted run is completed by the next start.
 */
export function resealInBackground(deps: ResealDependencies, log: EventLog): { stop(): Promise<void> } {
  if (deps.masterKeys.length === 1) return { stop: async () => {} };
  const stopping = new AbortController();
  const done = resealUntilDone(deps, log, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
}

async function resealUntilDone(deps: ResealDependencies, log: EventLog, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await resealAll(deps, log, signal);
      return;
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ reason: String(error) }, 'the master key is not replaced yet; trying again');
      await pause(retryMs, undefined, { signal }).catch(() => {});
    }
  }
}

async function resealAll(deps: ResealDependencies, log: EventLog, signal: AbortSignal): Promise<void> {
  const { store, vault, signingKeys, chain, events, masterKeys } = deps;
  const wasDone = (await keyStatusOf(deps)).done;
  // Templates of liveness sessions are not sealed anew: they expire within minutes.
  const until = wasDone ? null : await store.sealed.sessionTemplatesUntil();
  if (!wasDone) await events.administered(null, { operation: 'replace-master-key', stage: 'started' });
  const damaged = { rows: 0 };
  let galleries = 0;
  for (const gallery of await allGalleries(store)) {
    if (await resealGallery(store, vault, gallery, damaged, signal)) galleries += 1;
  }
  await resealMasterRows(store, deps, damaged, signal);
  await signingKeys.reseal();
  await chain.reseal();
  if (until && until.getTime() > Date.now()) await pause(until.getTime() - Date.now(), undefined, { signal });
  signal.throwIfAborted();
  await recordMasterKey(masterKeys[0], store.meta);
  if (damaged.rows > 0) log.warn({ rows: damaged.rows }, 'rows that open under no key were left as they are');
  if (!wasDone)
    await events.administered(null, { operation: 'replace-master-key', stage: 'done', galleries });
  log.info({ galleries }, 'everything is sealed under the master key; the former one can be removed');
}

/** Vaults of the rows that are sealed under keys derived from the master key. */
interface RowVaults {
  readonly frameVault: Pick<FrameVault, 'reseal'>;
  readonly recordingVault: Pick<RecordingVault, 'reseal'>;
  readonly webhookVault: Pick<WebhookVault, 'reseal'>;
}

/** Counts rows that open under no key. */
interface Damaged {
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
async function resealGallery(
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
function renewalOf(vault: Pick<TemplateVault, 'renewKeys'>, gallery: GalleryRecord) {
  try {
    return vault.renewKeys(gallery);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    return 'damaged';
  }
}

/** Seals recorded sessions and remembered frames anew. @throws the reason of the signal */
async function resealMasterRows(
  store: Store,
  { frameVault, recordingVault, webhookVault }: RowVaults,
  damaged: Damaged,
  signal: AbortSignal,
): Promise<void> {
  const reseals: Readonly<Record<MasterKind, Reseal>> = {
    frameShapes: ({ name, sealed }) => frameVault.reseal(name, sealed),
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

interface KeyStatusDependencies {
  readonly store: Pick<Store, 'clients' | 'galleries' | 'meta'>;
  readonly vault: Pick<TemplateVault, 'renewKeys'>;
  readonly masterKeys: Keys;
}

export type KeyStatus = Awaited<ReturnType<typeof keyStatusOf>>;

/** How far the master key is replaced, from what the store holds. */
export async function keyStatusOf({ store, vault, masterKeys }: KeyStatusDependencies) {
  const galleries = await allGalleries(store);
  const pending = galleries.filter((gallery) => {
    const renewal = renewalOf(vault, gallery);
    return renewal !== 'damaged' && (renewal !== null || gallery.formerKey !== null);
  });
  const isRecorded = (await store.meta.get(masterKeyCheck)) === keyDigest(masterKeys[0]);
  return {
    /** Whether a former master key is configured. */
    formerKey: masterKeys.length > 1,
    /** Nothing is sealed under a former master key any longer: it can be removed from the configuration. */
    done: isRecorded && pending.length === 0,
    galleries: galleries.length,
    /** Galleries whose keys or rows are not all under the present master key, and their faces. */
    pendingGalleries: pending.length,
    pendingFaces: pending.reduce((sum, { faces }) => sum + faces, 0),
  };
}
