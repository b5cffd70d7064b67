/** An event of a webhook, as docs/webhooks.md describes it. */
export type WebhookEvent = {
  readonly [Type in keyof WebhookData]: {
    /** The same in each delivery of the event: a receiver that has seen it ignores it. */
    readonly id: string;
    readonly type: Type;
    /** When it happened, ISO 8601. */
    readonly timestamp: string;
    readonly data: WebhookData[Type];
  };
}[keyof WebhookData];

/** Fields of every event that has them: the caller's transaction, and whom the event is about. */
interface About {
  readonly trx_id: string;
  readonly facegallery_id?: string;
  readonly user_id?: string;
}

/** The person of an event about one enrolled user. */
type AboutUser = Required<About>;

/** What each type of event says. Similarities and thresholds: 0…1. */
interface WebhookData {
  'face.enrolled': AboutUser & { readonly mode: 'new' | 'replace' | 'append' };
  'face.verified': AboutUser & {
    readonly verified: boolean;
    readonly similarity: number;
    readonly threshold: number;
  };
  /** `user_id`: the best candidate, if there is one. */
  'face.identified': About & {
    readonly identified: boolean;
    readonly candidates: number;
    readonly similarity?: number;
    readonly threshold: number;
  };
  /** In galleries that keep unknown people. `n_seen`: 1 at the first sight. */
  'face.unknown': About & { readonly unknown_id: string; readonly n_seen: number };
  /** `trx_id`: of the call, if it was one. */
  'face.erased': Partial<About> &
    Omit<AboutUser, 'trx_id'> & { readonly reason: 'deleted' | 'expired' | 'merged' };
  'call.refused': About & {
    readonly endpoint: string;
    readonly status: string;
    readonly status_message: string;
  };
  /** Of a session: single pictures and batches are answered at once. */
  'liveness.passed': About & { readonly session_id: string; readonly nonce: string };
  'liveness.failed': About & {
    readonly way: 'single' | 'batch' | 'session';
    readonly reasons: readonly string[];
    readonly session_id?: string;
    /** Of a hosted session: above 0, its page offers another try. */
    readonly tries_left?: number;
  };
  /** Calls of a client with a quota, in percent of it; once for each crossing. */
  'quota.reached': {
    readonly quota: 'n_api_hits';
    readonly percent: 80 | 100;
    readonly used: number;
    readonly limit: number;
  };
  'webhook.test': Record<string, never>;
}

/** A delivery is not from the server, is too old, or was changed. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

/** Headers of a request: those of `fetch`, or the object of Node, whose names are in lower case. */
type RequestHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookOptions {
  /** Largest difference of the clocks, seconds; an older delivery may be a replay. Default: 300. */
  readonly tolerance?: number;
  /** Default: now. */
  readonly now?: Date;
}

/**
 * Verifies a delivery (Standard Webhooks 1.0.0: HMAC-SHA-256 over id, timestamp and body) and answers its event.
 * @param body exactly as it was received, before it is parsed
 * @param secret `whsec_…` of `wajah webhook create`; several while it is rotated
 * @throws WebhookError
 * @example
 * const event = await verifyWebhook(body, request.headers, process.env.WAJAH_WEBHOOK_SECRET);
 * if (event.type === 'face.identified' && event.data.identified) openDoor(event.data.user_id);
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: RequestHeaders,
  secret: string | readonly string[],
  { tolerance = 300, now = new Date() }: WebhookOptions = {},
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (!id || !timestamp || !signatures) throw new WebhookError('a header of the signature is missing');
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError('webhook-timestamp is no time');
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > tolerance)
    throw new WebhookError(`webhook-timestamp differs by more than ${tolerance} s from the clock here`);
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const given = signatures.split(' ').flatMap((part) => (part.startsWith('v1,') ? [part.slice(3)] : []));
  for (const one of typeof secret === 'string' ? [secret] : secret) {
    if (await isSigned(signed, given, one)) return JSON.parse(text) as WebhookEvent;
  }
  throw new WebhookError(
    'no signature fits the secret: the delivery is not from the server, was changed, or was signed with another secret',
  );
}

function headerOf(headers: RequestHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const value = (headers as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : undefined;
}

/** WebCrypto compares in constant time. */
async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  given: readonly string[],
  secret: string,
): Promise<boolean> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''));
  if (!bytes) throw new WebhookError('the secret is no whsec_…');
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
  for (const signature of given.map(fromBase64)) {
    if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed))) return true;
  }
  return false;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}
