import type {
  CheckGalleriesRequest,
  CohortModeRequest,
  InstallCalibrationRequest,
  MeasureImpostorsRequest,
  PendingFacesRequest,
  ReadAuditTrailRequest,
  RotateSigningKeyRequest,
  SetClientOperatorRequest,
  SomeGalleriesRequest,
  StoreMigratedRequest,
  TemplateMigrationRequest,
} from '@wajah/contract';
import type { Receipt } from '../../events/ports.ts';
import type {
  AuditRecord,
  ChainEnd,
  GalleryRecord,
  PendingFace,
  SealedLink,
  Strays,
} from '../../store/ports.ts';
import type { Caller } from '../caller.ts';
import type { GalleryDamage, ImpostorProducts } from '../galleries/ports.ts';

/** The ends of the chain of audit records, what is in no place of it, its sealed key, and linked records in order. */
export interface AuditTrailPart extends Strays, Readonly<Record<ChainEnd, SealedLink>> {
  readonly key: string | null;
  readonly records: AuditRecord[];
}

/** A gallery with damage, and the receipt of what was erased. */
export interface DamagedGallery extends GalleryDamage {
  readonly gallery: GalleryRecord;
  readonly erased: boolean;
  readonly receipt: Receipt | null;
}

/** What only the operator of the installation does. Each act is recorded in the audit trail. */
export interface InstallationService {
  /** @throws Refusal `clientNotFound` */
  setOperator(caller: Caller, request: SetClientOperatorRequest): Promise<void>;
  /** @returns the path of the link @throws Refusal `clientNotFound` */
  createSignInLink(caller: Caller, request: { readonly clientId: string }): Promise<string>;
  rotateSigningKey(
    caller: Caller,
    request: RotateSigningKeyRequest,
  ): Promise<{ kid: string; formerUntil: Date }>;
  recordBackup(caller: Caller, request: { readonly bytes: number }): Promise<Receipt | null>;
  readTrail(caller: Caller, page: ReadAuditTrailRequest): Promise<AuditTrailPart>;
  /** Shows how similarities are normalised by the people of a gallery, or sets it. @throws Refusal `galleryNotFound` */
  setCohortMode(caller: Caller, request: CohortModeRequest): Promise<GalleryRecord>;
  /** Galleries with damage, each with the receipt of what was erased. */
  check(caller: Caller, request: CheckGalleriesRequest): Promise<DamagedGallery[]>;
  eraseCrops(caller: Caller, request: SomeGalleriesRequest): Promise<{ galleries: number; crops: number }>;
  /** In force for the server from its next start on, for a gallery at once. @throws Refusal `galleryNotFound` */
  installCalibration(caller: Caller, request: InstallCalibrationRequest): Promise<void>;
  measureImpostors(caller: Caller, request: MeasureImpostorsRequest): Promise<ImpostorProducts>;
  /** @throws Refusal `clientNotFound` | `galleryNotFound` */
  findGalleries(caller: Caller, request: SomeGalleriesRequest): Promise<GalleryRecord[]>;
  /** @returns number of faces without a template of that spec; null: the gallery has it already, or is deleted */
  beginMigration(caller: Caller, request: TemplateMigrationRequest): Promise<number | null>;
  pendingFaces(caller: Caller, request: PendingFacesRequest): Promise<PendingFace[]>;
  /** @returns false if another command migrates the gallery to another pack, or its key was replaced */
  storeMigrated(caller: Caller, request: StoreMigratedRequest): Promise<boolean>;
}
