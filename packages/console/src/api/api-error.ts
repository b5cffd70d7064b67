import { isWajahError } from '@wajah/client';

/** A failed call, as the pages show it. */
export interface ApiError {
  /** HTTP status code; 0 when the server was unreachable, −1 for an error of the page. */
  readonly http: number;
  /** `status` of the answer, or ''. */
  readonly status: string;
  readonly message: string;
  readonly detail: string;
  readonly trxId: string;
}

const unreachable: ApiError = { http: 0, status: '', message: '', detail: '', trxId: '' };

/** Converts a caught value. Errors of the page are shown like those of the server. */
export function asApiError(caught: unknown): ApiError {
  if (!isWajahError(caught)) {
    // Browsers report a failed connection with these messages.
    if (caught instanceof TypeError && /fetch|network|load failed/i.test(caught.message)) return unreachable;
    const detail = caught instanceof Error ? caught.message : String(caught);
    return { http: -1, status: '', message: '', detail, trxId: '' };
  }
  const { status, http, detail, trxId = '', answer } = caught;
  if (answer === undefined) return { http: http ?? 0, status: '', message: '', detail, trxId };
  return { http: http ?? 0, status, message: answer.status_message, detail, trxId };
}
