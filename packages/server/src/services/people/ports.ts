import type { PersonRequest, RequestOf } from '@wajah/contract';
import type { Receipt } from '../../events/ports.ts';
import type { ExpiringPerson } from '../../store/ports/people.ts';
import type { EarlierSession } from '../../store/ports/sessions.ts';
import type { Caller } from '../caller.ts';
import type { KnownTerms } from '../faces/ports.ts';

/** People across the galleries of the caller. */
export interface PeopleService {
  /** @throws Refusal `galleryNotFound` | `userNotFound` | `malformed` */
  update(caller: Caller, request: RequestOf<'updatePerson'>): Promise<KnownTerms>;
  /** @returns names of the galleries @throws Refusal `galleryNotFound` | `userNotFound` */
  suspend(caller: Caller, request: PersonRequest): Promise<string[]>;
  /** As `suspend`. */
  resume(caller: Caller, request: PersonRequest): Promise<string[]>;
  /** @throws Refusal `userNotFound`; `denied` when pictures are asked for without the scope */
  export(caller: Caller, request: RequestOf<'exportPerson'>): Promise<PersonExport>;
  /** @throws Refusal `userNotFound` */
  erase(caller: Caller, request: RequestOf<'erasePerson'>): Promise<ErasedPerson>;
  /** @throws Refusal `galleryNotFound` | `malformed` */
  expiring(caller: Caller, request: RequestOf<'listExpiring'>): Promise<ExpiringPage>;
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
  /** What features keep, by the field of the answer. */
  readonly others: Readonly<Record<string, readonly object[]>>;
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
  /** What features kept, by the field of the answer. */
  readonly others: Readonly<Record<string, number>>;
  /** Null when no audit record could be written. */
  readonly receipt: Receipt | null;
}

/** People who are erased until a time, the first one first. */
export interface ExpiringPage {
  readonly until: Date;
  readonly people: readonly ExpiringPerson[];
  readonly nextCursor: string | undefined;
}
