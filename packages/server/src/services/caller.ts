import type { StageTimes } from '@wajah/engine';

/** The client behind a call, and the request that it serves. Services do not depend on HTTP. */
export interface Caller {
  readonly clientId: string;
  readonly trxId: string;
  /** Identifier of the endpoint. */
  readonly operation?: string | undefined;
  /** Scopes of the token; null or absent: the ordinary ones. */
  readonly scopes?: readonly string[] | null;
  /** The operator of the installation makes the call; `clientId` is whom it is made for, or empty. */
  readonly isOperator?: boolean | undefined;
  /** The session whose page makes the call, with its secret; absent: a token was sent. */
  readonly sessionId?: string | undefined;
  /** Scheme, host and port that the call was sent to; absent: it came by no network. */
  readonly origin?: string | undefined;
  /** Served as the public cloud serves its programs; absent: natively. */
  readonly asCloud?: boolean | undefined;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Absent: the server makes no traces. */
  readonly trace?: CallTrace | undefined;
}

/** Whether the caller may see what helps to improve an attack: measured values of sessions, spoof figures of detection. */
export function mayDiagnose({ scopes }: Pick<Caller, 'scopes'>): boolean {
  return scopes?.includes('diagnostics') === true;
}

/** When a picture of a call was analysed, milliseconds since 1970 with fractions. */
export interface AnalysedPicture {
  /** It began to wait for a worker. */
  readonly askedAt: number;
  readonly beganAt: number;
  readonly endedAt: number;
  readonly stages: StageTimes;
}

/** The trace of a call. It must not throw. */
export interface CallTrace {
  analysed(picture: AnalysedPicture): void;
}

/** Traces requests. */
export interface Tracer {
  /** Begins the trace of a request. @param next is run inside of it */
  begin(method: string, headers: Readonly<Record<string, unknown>>, next: () => void): RequestTrace;
}

/** The trace of a request. */
export interface RequestTrace extends CallTrace {
  /** Ends it. @param route path of the endpoint; null: unknown @param http null: the client left before the answer */
  end(outcome: { route: string | null; trxId: string; status: string; http: number | null }): void;
}

/** Milliseconds since 1970, with fractions. */
export function epochMs(): number {
  return performance.timeOrigin + performance.now();
}
