import { isWajahError } from '@wajah/client';

/** Why a call failed, as the pages show it. */
export interface ApiError {
  /** HTTP status code; 0 when the server was not reached, −1 for a fault of the page itself. */
  readonly http: number;
  /** `status` of the envelope, `''` without one. */
  readonly status: string;
  /** `status_message` of the envelope. */
  readonly message: string;
  readonly detail: string;
  readonly trxId: string;
}

const unreachable: ApiError = { http: 0, status: '', message: '', detail: '', trxId: '' };

/** Whatever was caught; a fault of this page is shown like one of the server. */
export function asApiError(caught: unknown): ApiError {
  if (!isWajahError(caught)) {
    // So browsers tell that a connection failed.
    if (caught instanceof TypeError && /fetch|network|load failed/i.test(caught.message)) return unreachable;
    const detail = caught instanceof Error ? caught.message : String(caught);
    return { http: -1, status: '', message: '', detail, trxId: '' };
  }
  const { status, http, detail, trxId = '', answer } = caught;
  if (answer === undefined) return { http: http ?? 0, status: '', message: '', detail, trxId };
  return { http: http ?? 0, status, message: answer.status_message, detail, trxId };
}
