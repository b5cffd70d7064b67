import type {
  ErasePersonRequest,
  ExportPersonRequest,
  ListExpiringRequest,
  PersonRequest,
  ProcessingRequest,
  UpdatePersonRequest,
} from '@wajah/contract';
import type { Receipt } from '../../events/ports.ts';
import type {
  EarlierSession,
  EventCount,
  ExpiringPerson,
  RefusedCall,
  WebhookDelivery,
} from '../../store/ports.ts';
import type { Caller } from '../caller.ts';
import type { KnownTerms } from '../faces/ports.ts';

/** People across the galleries of the caller. */
export interface PeopleService {
  /** @throws Refusal `galleryNotFound` | `userNotFound` | `malformed` */
  update(caller: Caller, request: UpdatePersonRequest): Promise<KnownTerms>;
  /** @returns names of the galleries @throws Refusal `galleryNotFound` | `userNotFound` */
  suspend(caller: Caller, request: PersonRequest): Promise<string[]>;
  /** As `suspend`. */
  resume(caller: Caller, request: PersonRequest): Promise<string[]>;
  /** @throws Refusal `userNotFound`; `denied` when pictures are asked for without the scope */
  export(caller: Caller, request: ExportPersonRequest): Promise<PersonExport>;
  /** @throws Refusal `userNotFound` */
  erase(caller: Caller, request: ErasePersonRequest): Promise<ErasedPerson>;
  /** The records of processing of the caller. */
  processing(caller: Caller, request: ProcessingRequest): Promise<ProcessingRecords>;
  /** @throws Refusal `galleryNotFound` | `malformed` */
  expiring(caller: Caller, request: ListExpiringRequest): Promise<ExpiringPage>;
}

/**
 * What is known of a person in all galleries of a client. Of templates it has number, model pack and time: their numbers
 * mean nothing outside of that pack, and whoever has them can imitate the person to it.
 */
export interface PersonExport {
  readonly userId: string;
  readonly at: Date;
  readonly galleries: readonly PersonInGallery[];
  readonly sessions: readonly EarlierSession[];
  /** Number of remembered frames of passed sessions. */
  readonly frames: number;
  readonly refusals: readonly RefusedCall[];
  readonly webhookEvents: readonly WebhookDelivery[];
}

export interface PersonInGallery {
  readonly galleryId: string;
  readonly userName: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly terms: KnownTerms;
  /** Number of templates. */
  readonly templates: number;
  /** Name and version of the model pack of the templates. */
  readonly pack: string;
  readonly pictureIds: string[];
  /** Size, and JPEG where pictures were asked for. */
  readonly crops: readonly { readonly bytes: number; readonly jpeg: Uint8Array | null }[];
  /** People of whom somebody has said that this is another one. */
  readonly differentFrom: string[];
}

/** How much was erased of a person. */
export interface ErasedPerson {
  readonly galleryIds: string[];
  /** Liveness sessions. */
  readonly sessions: number;
  /** Remembered frames. */
  readonly frames: number;
  /** Refused calls. */
  readonly refusals: number;
  /** Null when no audit record could be written. */
  readonly receipt: Receipt | null;
}

/** People who are erased until a time, the first one first. */
export interface ExpiringPage {
  readonly until: Date;
  readonly people: readonly ExpiringPerson[];
  readonly nextCursor: string | undefined;
}

/** Calls of a month that were recorded under an event. */
export type MonthlyCount = Pick<EventCount, 'month' | 'event' | 'count'>;

/**
 * The records of processing of one client, as far as Wajah knows it: what for, of whom, which data, for whom, how long,
 * and how often. Contacts, legal ground and transfers are the controller's to add (docs/dpia.md).
 */
export interface ProcessingRecords {
  readonly clientId: string;
  readonly from: Date;
  readonly to: Date;
  readonly galleries: readonly {
    readonly galleryId: string;
    readonly people: number;
    readonly requireConsent: boolean;
    readonly retentionDays: number | null;
    readonly purposes: { readonly purpose: string | null; readonly people: number }[];
    readonly withoutConsent: number;
    readonly counts: MonthlyCount[];
  }[];
  /** Of galleries that no longer exist, and of no gallery, together. */
  readonly otherCounts: MonthlyCount[];
  /** Valid tokens of the client. */
  readonly recipients: readonly {
    readonly name: string;
    readonly scopes: readonly string[];
    readonly createdAt: Date;
    readonly lastUsedAt: Date | null;
  }[];
  readonly categories: {
    readonly data: string;
    readonly of: string;
    readonly kept: boolean;
    readonly erased: string;
  }[];
}
