import type { RequestOf } from '@wajah/contract';
import type { EngineLoad } from '@wajah/engine';
import type { Fault } from '../../config/finding.ts';
import type { ReportedSetting } from '../../config/setting.ts';
import type { Receipt } from '../../events/ports.ts';
import type { GalleryRecord } from '../../store/ports/galleries.ts';
import type { StoreInfo } from '../../store/ports/store.ts';
import type { Caller } from '../caller.ts';
import type { GalleryDamage, ImpostorProducts } from '../galleries/ports.ts';

/** A gallery with damage, and the receipt of what was erased. */
export interface DamagedGallery extends GalleryDamage {
  readonly gallery: GalleryRecord;
  readonly erased: boolean;
  readonly receipt: Receipt | null;
}

/** What only the operator of the installation does. Each act is recorded in the audit trail. */
export interface InstallationService {
  /** @throws Refusal `clientNotFound` */
  setOperator(caller: Caller, request: RequestOf<'setClientOperator'>): Promise<void>;
  /** @returns the path of the link @throws Refusal `clientNotFound` */
  createSignInLink(caller: Caller, request: { readonly clientId: string }): Promise<string>;
  rotateSigningKey(
    caller: Caller,
    request: RequestOf<'rotateSigningKey'>,
  ): Promise<{ kid: string; formerUntil: Date }>;
  recordBackup(caller: Caller, request: { readonly bytes: number }): Promise<Receipt | null>;
  /** Shows how similarities are normalised by the people of a gallery, or sets it. @throws Refusal `galleryNotFound` */
  setCohortMode(caller: Caller, request: RequestOf<'setCohortMode'>): Promise<GalleryRecord>;
  /** Galleries with damage, each with the receipt of what was erased. */
  check(caller: Caller, request: RequestOf<'checkGalleries'>): Promise<DamagedGallery[]>;
  /** Rows of any table that cannot be read, and why. */
  damagedRows(): Promise<string[]>;
  eraseCrops(caller: Caller, request: RequestOf<'eraseCrops'>): Promise<{ galleries: number; crops: number }>;
  /** In force for the server from its next start on, for a gallery at once. @throws Refusal `galleryNotFound` */
  installCalibration(caller: Caller, request: RequestOf<'installCalibration'>): Promise<void>;
  measureImpostors(caller: Caller, request: RequestOf<'measureImpostors'>): Promise<ImpostorProducts>;
}

/** An installed model pack. */
export interface PackStatus {
  readonly id: string;
  readonly version: string;
  readonly roles: readonly string[];
  readonly inUse: boolean;
  readonly licence: string;
}

/** What is wrong with this installation, as a running server knows it. */
export interface FindingService {
  /** Names no client, and reads no row of each: what `/ready` says at any time and to everybody. */
  forAnybody(): Promise<Fault[]>;
  all(): Promise<Fault[]>;
}

/** Parts of the status that the process provides. */
export interface StatusSources {
  readonly version: string;
  readonly startedAt: Date;
  packs(): Promise<readonly PackStatus[]>;
  /** Calls refused as busy since the start. */
  busy(): number;
}

/** What a server is and does. */
export interface ServerStatus {
  readonly version: string;
  readonly startedAt: Date;
  readonly uptimeSeconds: number;
  readonly node: string;
  readonly engine: EngineLoad & { readonly queue: number; readonly busy: number };
  readonly packs: readonly PackStatus[];
  readonly embedder: string;
  readonly findings: Fault[];
  readonly pad: { readonly pack: string; readonly notice: string | null; readonly install: string[] };
  readonly calibration: { readonly provisional: boolean; readonly notice: string | null };
  /** Bytes, and the number of galleries in memory. */
  readonly memory: {
    readonly rss: number;
    readonly heapUsed: number;
    readonly galleries: number;
    readonly matchBudget: number;
    readonly matchUsed: number;
  };
  readonly store: StoreInfo;
  /** The settings that change answers; no secrets. */
  readonly settings: Readonly<Record<string, string | number | boolean | null>>;
  readonly configuration: ReportedSetting[];
  readonly clients: number;
}

/** The status of the server, for operators. */
export interface StatusService {
  /** @throws Refusal `denied` when the caller is no operator */
  read(caller: Caller): Promise<ServerStatus>;
}
