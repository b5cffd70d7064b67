import type { CallTrace } from './call-trace.ts';

/** The client behind a call, and the request that it serves. Services do not depend on HTTP. */
export interface Caller {
  readonly clientId: string;
  readonly trxId: string;
  /** Identifier of the endpoint. */
  readonly operation?: string | undefined;
  /** Scopes of the token; null or absent: all but `diagnostics`. */
  readonly scopes?: readonly string[] | null;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Absent: the server makes no traces. */
  readonly trace?: CallTrace | undefined;
}

/** Whether the caller may see what helps to improve an attack: measured values of sessions, spoof figures of detection. */
export function mayDiagnose({ scopes }: Pick<Caller, 'scopes'>): boolean {
  return scopes?.includes('diagnostics') === true;
}
