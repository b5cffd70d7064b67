import { scopes } from '@wajah/contract';
import { z } from 'zod';
import { type CarryAnswers, carryInputs } from './migration-inputs.ts';

/** What may be used: −1 is unlimited. */
const quota = z.object({
  hits: z.int().min(-1).optional(),
  faces: z.int().min(-1).optional(),
  galleries: z.int().min(-1).optional(),
});

/** What each operation is given. Both sides of the admin socket check against it. */
export const adminInputs = {
  createClient: z.object({
    clientId: z.string(),
    password: z.string().optional(),
    quota,
    /** May see how the server is. */
    operator: z.boolean().optional(),
  }),
  listClients: z.object({}),
  setQuota: z.object({ clientId: z.string(), quota }),
  setOperator: z.object({ clientId: z.string(), operator: z.boolean() }),
  deleteClient: z.object({ clientId: z.string() }),
  createToken: z.object({
    clientId: z.string(),
    name: z.string(),
    /** Days until it expires; null: never. */
    days: z.number().positive().nullable(),
    /** What it may do; absent: everything. */
    scopes: z.array(z.enum(scopes)).min(1).optional(),
  }),
  listTokens: z.object({ clientId: z.string() }),
  ...carryInputs,
  revokeToken: z.object({
    /** The token itself, or its id as `listTokens` names it. */
    token: z.string(),
  }),
  listGalleries: z.object({ clientId: z.string() }),
  setGalleryThreshold: z.object({
    clientId: z.string(),
    galleryId: z.string(),
    /** Similarity; null: the server's. */
    threshold: z.number().nullable(),
  }),
  setGalleryLiveness: z.object({ clientId: z.string(), galleryId: z.string(), required: z.boolean() }),
  /** For the server (both names null) or one gallery; a null calibration takes it back. */
  installCalibration: z.object({
    clientId: z.string().nullable(),
    galleryId: z.string().nullable(),
    calibration: z
      .object({
        contract: z.record(z.string(), z.union([z.string(), z.number()])),
        curve: z.record(z.string(), z.unknown()),
      })
      .nullable(),
  }),
} as const;

/** Name of an operation. */
export type AdminOperation = keyof typeof adminInputs;

/** What an operation is given. */
export type AdminInput<O extends AdminOperation> = z.output<(typeof adminInputs)[O]>;

/** What a quota sets, and what of it is used. */
export interface Amounts {
  readonly hits: number;
  readonly faces: number;
  readonly galleries: number;
}

/** A client as the operator sees it. Moments are ISO 8601. */
export interface ClientSummary {
  readonly clientId: string;
  readonly createdAt: string;
  readonly registeredAt: string | null;
  readonly operator: boolean;
  readonly quota: Amounts;
  readonly used: Amounts;
}

/** An API token without its secret. Moments are ISO 8601. */
export interface ApiTokenSummary {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** Null: everything. */
  readonly scopes: readonly string[] | null;
}

/** A gallery as the operator sees it. Moments are ISO 8601. */
export interface GallerySummary {
  readonly galleryId: string;
  readonly faces: number;
  readonly createdAt: string;
  /** Similarity; null: the server's. */
  readonly threshold: number | null;
  /** The model pack and version of its templates; null while none is stored. */
  readonly pack: string | null;
  /** Whether it has a calibration curve of its own. */
  readonly calibrated: boolean;
  /** Whether faces get in, and are verified, only with a liveness token. */
  readonly requireLiveness: boolean;
}

/** What an operation answers. Plain JSON: it crosses the admin socket. */
export interface AdminAnswers extends CarryAnswers {
  createClient: { clientId: string; password: string; accessToken: string; expiresIn: number };
  listClients: ClientSummary[];
  setQuota: null;
  setOperator: null;
  /** How many galleries and faces were erased with it. */
  deleteClient: { galleries: number; faces: number };
  createToken: { id: string; token: string; expiresAt: string | null };
  listTokens: ApiTokenSummary[];
  revokeToken: null;
  listGalleries: GallerySummary[];
  setGalleryThreshold: null;
  setGalleryLiveness: null;
  installCalibration: null;
}

/**
 * What an operator may do. Two ways: on the store itself (the process that owns the data directory) and over
 * the admin socket of that process. What cannot be done is an OperatorError.
 */
export type AdminOperations = {
  readonly [O in AdminOperation]: (input: AdminInput<O>) => Promise<AdminAnswers[O]>;
};
