import type { RefusedCall } from './activity-store.ts';

/** As both databases give it. */
export interface RefusedRow {
  readonly client_id: string;
  readonly at: number;
  readonly route: string;
  readonly status: string;
  readonly detail: string | null;
  readonly trx_id: string;
  readonly gallery_id: string | null;
  readonly user_id: string | null;
  readonly similarity: number | null;
  readonly spoof_score: number | null;
  readonly ms: number;
}

export function toRefusedCall(row: RefusedRow): RefusedCall {
  return {
    at: new Date(row.at),
    clientId: row.client_id,
    route: row.route,
    status: row.status,
    detail: row.detail,
    trxId: row.trx_id,
    galleryId: row.gallery_id,
    userId: row.user_id,
    similarity: row.similarity,
    spoofScore: row.spoof_score,
    ms: row.ms,
  };
}

/** The values of a row as both databases take them, in the order of `RefusedRow`. */
export function refusedValues(call: RefusedCall) {
  return [
    call.clientId,
    call.at.getTime(),
    call.route,
    call.status,
    call.detail,
    call.trxId,
    call.galleryId,
    call.userId,
    call.similarity,
    call.spoofScore,
    call.ms,
  ] as const;
}
