import { z } from 'zod';

const base64 = z.string();
const gallery = z.int().positive();
/** An embedding contract as galleries keep it. */
const contract = z.string().min(1);
/** Galleries of a client, or one of them; null: all. */
const which = z.object({ clientId: z.string().nullable(), galleryId: z.string().nullable() });

/**
 * What the operations around face crops are given. What crosses the socket is sealed: pictures and templates are opened
 * by who asks, under the master key.
 */
export const carryInputs = {
  listCarrying: which,
  /** Answers how many faces wait for a template of the contract; null: the gallery has it already, or is gone. */
  beginCarrying: z.object({ gallery, contract }),
  nextFaces: z.object({ gallery, contract, after: z.int().min(0), limit: z.int().min(1).max(1000) }),
  keepTemplates: z.object({
    gallery,
    contract,
    templates: z.array(z.object({ userId: z.string(), seq: z.int(), template: base64.nullable() })),
  }),
  eraseCrops: which,
} as const;

/** A gallery with what is needed to open and seal what is in it. */
export interface CarriedGallery {
  /** Internal number. */
  readonly id: number;
  readonly clientId: string;
  readonly galleryId: string;
  /** base64 */
  readonly wrappedKey: string;
  readonly contract: string | null;
  readonly faces: number;
}

/** What these operations answer; sealed bytes are base64. */
export interface CarryAnswers {
  listCarrying: CarriedGallery[];
  beginCarrying: number | null;
  nextFaces: { userId: string; seq: number; crops: string[] }[];
  /** False when templates are made for another contract by now. */
  keepTemplates: boolean;
  eraseCrops: { galleries: number; crops: number };
}
