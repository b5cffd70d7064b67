import { openAuditChain } from '../../security/audit-chain.ts';
import { recordMasterKey } from '../../security/keys/master-key.ts';
import { resealSigningKeys } from '../../security/keys/signing-keys.ts';
import { openVault } from '../../security/vaults/row-vaults.ts';
import { type Keys, SealError } from '../../security/vaults/sealing.ts';
import { createTemplateVault, type TemplateVault } from '../../security/vaults/template-vault.ts';
import type { SealedColumn } from '../../store/database/types.ts';
import type { GalleryRecord } from '../../store/ports/galleries.ts';
import type { SealedPlace, SealedRow } from '../../store/ports/sealed.ts';
import type { Store, TableStores } from '../../store/ports/store.ts';
import { derivedColumns, firstPlace, galleryColumns } from '../../store/sealed-store.ts';
import { allGalleries } from '../galleries/lookup.ts';

/** What was sealed anew. */
export interface Resealed {
  readonly galleries: number;
  readonly faces: number;
  /** Rows, keys of galleries included, that the former key did not open: they are left as they are. */
  readonly damaged: number;
}

/**
 * Seals everything in a store under another master key, in one transaction: each gallery gets a new data key, and its
 * rows and what is sealed under derived keys are sealed anew; the signing keys and the key of the audit trail are
 * wrapped anew. Templates of passed liveness sessions, which are valid for minutes, are erased.
 * @param next the key from now on @param present the key until now, 32 bytes each
 */
export function resealStore(store: Store, next: Uint8Array, present: Uint8Array): Promise<Resealed> {
  const keys: Keys = [next, present];
  return store.alone(async (tables) => {
    const vault = createTemplateVault(...keys);
    const damage = { rows: 0 };
    const galleries = await allGalleries(tables);
    for (const gallery of galleries) await resealGallery(tables, vault, gallery, damage);
    await resealMasterRows(tables, keys, damage);
    await tables.sealed.eraseSessionTemplates();
    await resealSigningKeys(keys, tables.meta);
    const chain = await openAuditChain(keys, tables.meta);
    await chain.reseal();
    await recordMasterKey(next, present, tables.meta);
    const facts = { operation: 'rotate-master', galleries: galleries.length, damaged: damage.rows };
    const entry = { at: new Date(), event: 'administered', clientId: null, trxId: null, facts };
    await tables.audit.append([entry], chain);
    const faces = galleries.reduce((sum, gallery) => sum + gallery.faces, 0);
    return { galleries: galleries.length, faces, damaged: damage.rows };
  });
}

interface Damage {
  rows: number;
}

type Reseal = (row: SealedRow) => Uint8Array | null;

/** Rows read at a time. */
const sliceRows = 100;

async function resealGallery(
  tables: TableStores,
  vault: TemplateVault,
  gallery: GalleryRecord,
  damage: Damage,
): Promise<void> {
  const renewed = unlessSealed(() => vault.renew(gallery), damage);
  if (!renewed) return;
  for (const [kind, of] of Object.entries(galleryColumns)) {
    const what = kind === 'cohort' ? kind : of.column === 'crop' ? 'crop' : 'templates';
    const reseal: Reseal = ({ name, sealed }) => renewed.vault.reseal(what, name, sealed);
    await resealRows(tables, of, gallery.id, reseal, damage);
  }
  await tables.galleries.replaceKey(gallery.id, renewed.wrappedKey);
}

async function resealMasterRows(tables: TableStores, keys: Keys, damage: Damage): Promise<void> {
  for (const of of Object.values(derivedColumns)) {
    const vault = openVault(keys, of.purpose);
    await resealRows(tables, of, 0, (row) => vault.reseal(of.context(row), row.sealed), damage);
  }
}

async function resealRows(
  { sealed: rows }: TableStores,
  of: SealedColumn,
  gallery: number,
  reseal: Reseal,
  damage: Damage,
): Promise<void> {
  for (let after: SealedPlace = firstPlace; ; ) {
    const slice = await rows.next(of, gallery, after, sliceRows);
    await Promise.all(
      slice.map(async (row) => {
        const sealed = unlessSealed(() => reseal(row), damage);
        if (sealed) await rows.replace(of, gallery, row, sealed);
      }),
    );
    const last = slice.at(-1);
    if (!last || slice.length < sliceRows) return;
    after = last;
  }
}

/** @returns null, and counts, when the bytes do not open */
function unlessSealed<T>(work: () => T, damage: Damage): T | null {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    damage.rows += 1;
    return null;
  }
}
