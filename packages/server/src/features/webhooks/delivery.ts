import { createHmac } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Counter } from 'prom-client';
import type { Config } from '../../config/config.ts';
import { periodically } from '../../lib/periodic.ts';
import { openedOrNull } from '../../security/vaults/sealing.ts';
import { type Address, addressFor } from './addresses.ts';
import type { WantedEvents, WebhookEndpoint, WebhookStore } from './ports.ts';
import type { WebhookSecrets, WebhookVault } from './vault.ts';

/** Time between two looks into the outbox, milliseconds: other servers write too, and retries come due. */
const pollMs = 1000;
/** Longest time until a retry, seconds. */
const maxBackoffSeconds = 12 * 60 * 60;
/** A lease outlives the answer's time limit by this, milliseconds: the name is resolved in it, too. */
const leaseGraceMs = 15_000;

/** Limits of deliveries. */
export interface DeliveryLimits {
  /** Time in which a receiver must answer, milliseconds. */
  readonly timeoutMs: number;
  /** Attempts until an event is given up. */
  readonly attempts: number;
  /** Seconds until the first retry; each further one waits four times as long, at most `maxBackoffSeconds`. */
  readonly retrySeconds: number;
}

/** The last attempt is about two days after the first: a receiver that fails on a Friday evening has the weekend. */
export const deliveryLimits: DeliveryLimits = { timeoutMs: 10_000, attempts: 10, retrySeconds: 5 };

interface DispatcherDependencies {
  readonly store: WebhookStore;
  readonly vault: Pick<WebhookVault, 'open'>;
  readonly config: Config['webhooks'] & DeliveryLimits;
  /** Counts attempts. */
  readonly attempts: Counter<'outcome'>;
  /** Is told which events endpoints want. */
  readonly wanted: Pick<WantedEvents, 'look'>;
  readonly log: { warn(fields: object, message: string): void };
}

/**
 * Sends the deliveries whose time has come: of each endpoint one at a time and the oldest first, of several endpoints
 * beside each other. After a failure the endpoint is left alone until the next look.
 */
export function startDispatcher(deps: DispatcherDependencies) {
  const { store, wanted, log } = deps;
  const busy = new Map<string, Promise<void>>();
  let stopped = false;
  const serve = async (endpoint: WebhookEndpoint) => {
    try {
      while (!stopped && (await deliverNext(deps, endpoint)));
    } catch (error) {
      log.warn({ endpoint: endpoint.id, reason: String(error) }, 'webhook deliveries are interrupted');
    } finally {
      busy.delete(endpoint.id);
    }
  };
  const look = async () => {
    const found = wanted.look();
    const endpoints = await store.enabled(new Date());
    found(endpoints);
    for (const endpoint of endpoints)
      if (endpoint.due && !busy.has(endpoint.id) && !stopped) busy.set(endpoint.id, serve(endpoint));
  };
  const looking = periodically(look, pollMs, log, 'the webhook outbox cannot be read');
  return {
    /** Looks at once. */
    wake: looking.run,
    /** Waits for the attempts under way. */
    async stop(): Promise<void> {
      stopped = true;
      await looking.stop();
      await Promise.all(busy.values());
    },
  };
}

/** @returns whether further deliveries should be tried now */
async function deliverNext(deps: DispatcherDependencies, endpoint: WebhookEndpoint): Promise<boolean> {
  const { store, config, attempts, log } = deps;
  const until = new Date(Date.now() + config.timeoutMs + leaseGraceMs);
  const delivery = await store.lease(endpoint.id, new Date(), until);
  if (!delivery) return false;
  const { error, gone } = await deliver(deps, endpoint, delivery.eventId, delivery.payload);
  const failures = delivery.attempts + 1;
  const next = error === null || gone || failures >= config.attempts ? null : retryAt(failures, config);
  await store.settle(delivery, new Date(), next, error);
  attempts.inc({ outcome: error === null ? 'delivered' : next ? 'failed' : 'dead' });
  if (error === null) return true;
  log.warn(
    { endpoint: endpoint.id, webhook_id: delivery.eventId, failures, reason: error },
    'a webhook was not delivered',
  );
  if (gone) await store.disable(endpoint.id, 'the receiver answered 410 Gone');
  return false;
}

/** Exponential backoff, a quarter of it drawn at random so that retries of many events spread. */
function retryAt(failures: number, { retrySeconds }: DeliveryLimits): Date {
  const seconds = Math.min(maxBackoffSeconds, retrySeconds * 4 ** (failures - 1));
  return new Date(Date.now() + seconds * 1000 * (0.75 + Math.random() / 4));
}

/** The outcome of an attempt: null: delivered; `gone`: the receiver wants no further events (410). */
interface Attempt {
  readonly error: string | null;
  readonly gone: boolean;
}

/**
 * Signs a body and posts it to an endpoint. Follows no redirect; connects to the address that was checked, whatever the
 * name resolves to later. Delivered is what is answered 2xx in time. Never rejects for the network.
 */
export async function deliver(
  { vault, config }: Pick<DispatcherDependencies, 'vault' | 'config'>,
  endpoint: WebhookEndpoint,
  eventId: string,
  body: string,
): Promise<Attempt> {
  const secrets = openedOrNull(() => vault.open(endpoint, endpoint.secret));
  if (!secrets) return { error: 'its stored secret is damaged and does not open: replace it', gone: false };
  const headers = signedHeaders(secrets, eventId, new Date(), body);
  const { networks, timeoutMs } = config;
  try {
    const target = new URL(endpoint.url);
    const address = await addressFor(target, networks);
    const status = await post(target, address, body, headers, AbortSignal.timeout(timeoutMs));
    if (status >= 200 && status < 300) return { error: null, gone: false };
    return { error: `answered ${status}`, gone: status === 410 };
  } catch (error) {
    const { name, message, code } = error as NodeJS.ErrnoException;
    const late = name === 'AbortError' || name === 'TimeoutError';
    return {
      error: late ? `no answer in ${timeoutMs} ms` : code ? `${code}: ${message}` : message,
      gone: false,
    };
  }
}

/** @returns the status */
function post(
  target: URL,
  { address, family }: Address,
  body: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<number> {
  const request = target.protocol === 'https:' ? requestHttps : requestHttp;
  const lookup: LookupFunction = (_host, options, callback) =>
    options.all ? callback(null, [{ address, family }]) : callback(null, address, family);
  return new Promise((resolve, reject) => {
    const call = request(target, {
      method: 'POST',
      agent: false,
      lookup,
      signal,
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Wajah',
      },
    });
    call.on('error', reject);
    call.on('response', (answer) => {
      // The status is the answer; nothing of the body is read.
      answer.on('error', () => {});
      answer.destroy();
      resolve(answer.statusCode ?? 0);
    });
    call.end(body);
  });
}

/** Prefix of a secret, as Standard Webhooks has it. */
export const secretPrefix = 'whsec_';

/**
 * Headers of a delivery (Standard Webhooks 1.0.0): HMAC-SHA-256 over `id.timestamp.body`, with the former secret as well
 * while that is accepted.
 * @param at of this attempt
 */
function signedHeaders(secrets: WebhookSecrets, id: string, at: Date, body: string): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const { present, former } = secrets;
  const keys = [present, ...(former && former.until > at.getTime() ? [former.secret] : [])];
  const sign = (key: string) =>
    createHmac('sha256', Buffer.from(key, 'base64')).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map((key) => `v1,${sign(key)}`).join(' '),
  };
}
