import type { CamelCased, Endpoint, Scope } from '@wajah/contract';
import type { z } from 'zod';
import type { Refusal } from '../../errors.ts';
import type { Caller } from '../../services/caller.ts';
import type { EnrolmentService, FaceService } from '../../services/faces/ports.ts';
import type { RecognitionService } from '../../services/recognition/ports.ts';

/** What a wire is made from. */
export interface WireServices {
  readonly recognition: RecognitionService;
  readonly enrolment: EnrolmentService;
  readonly faces: FaceService;
}

export type OpenWire = (services: WireServices) => Wire;

/** Mounts a call: body, caller, rate limit, room for pictures, quota, one service call, answer. */
export type MountCall = <Request extends z.ZodObject>(
  endpoint: Endpoint<Request>,
  serve: (caller: Caller, fields: CamelCased<z.output<Request>>) => Promise<object>,
) => void;

/** The interface of another service, for its programs: form fields, a token among them, and answers of their own. */
export interface Wire {
  /** Path that all its calls are below. */
  readonly prefix: string;
  /** Gallery of all its calls. */
  readonly galleryId: string;
  /** Callers that need no token, by their addresses; null: all need one. */
  readonly trusted: {
    readonly networks: readonly string[];
    /** The client whom their calls are of. */
    readonly clientId: string;
    readonly scopes: readonly Scope[];
  } | null;
  mount(mount: MountCall): void;
  /** @param endpointId undefined: no call has the path */
  refused(refusal: Refusal, endpointId: string | undefined): { readonly http: number; readonly body: object };
}
