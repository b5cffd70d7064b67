/** A refusal in the server's envelope, or what came instead of one. */
export class ApiError extends Error {
  /** HTTP status code; 0 when the server was not reached. */
  readonly http: number;
  /** `status` of the envelope, `''` without one. */
  readonly status: string;
  readonly detail: string;
  readonly trxId: string;
  /** The whole answer, for the fields that some refusals carry besides. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(http: number, body: Readonly<Record<string, unknown>>) {
    super(text(body['status_message']));
    this.name = 'ApiError';
    this.http = http;
    this.status = text(body['status']);
    this.detail = text(body['detail']);
    this.trxId = text(body['trx_id']);
    this.body = body;
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
