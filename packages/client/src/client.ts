import { isWajahError, WajahError } from './errors.ts';
import { createGallery, type Gallery } from './gallery.ts';
import { type CallOptions, type ClientOptions, checkedUrl } from './options.ts';
import { withPicturesAsText } from './pictures.ts';
import { isRepeatable } from './repeatable.ts';
import { type CallName, send } from './send.ts';
import { createTokens, type Issued, type Tokens } from './tokens.ts';
import { sleep, unlessAborted, waitBefore } from './waiting.ts';
import { type Calls, calls } from './wire/calls.ts';

/** A server, spoken to as one client: one method for each endpoint, and what is made of them. */
export interface WajahClient extends Calls {
  /** A gallery by its name; nothing is sent. */
  gallery(facegallery_id: string): Gallery;
}

type Fields = Readonly<Record<string, unknown>>;
type Caller = (call: CallName, fields?: Fields, options?: CallOptions) => Promise<object>;

const byDefault = { timeoutMs: 30_000, retries: 2 };

/**
 * Makes a client. Nothing is sent before the first call.
 * @throws TypeError when an option cannot be used
 *
 * @example
 * const wajah = createWajahClient({ url: 'http://127.0.0.1:8080', clientId: 'demo', password });
 * const { similarity, verified } = await wajah.compareImages({ source_image, target_image });
 */
export function createWajahClient(options: ClientOptions): WajahClient {
  const call = createCaller(options);
  const methods = Object.fromEntries(
    (Object.keys(calls) as CallName[]).map((name) => [
      name,
      (fields?: Fields, callOptions?: CallOptions) => call(name, fields, callOptions),
    ]),
  ) as unknown as Calls;
  return { ...methods, gallery: (name) => createGallery(methods, name) };
}

function createCaller(options: ClientOptions): Caller {
  const url = checkedUrl(options);
  const transport = options.fetch ?? ((...given) => globalThis.fetch(...given));
  const { clientId: client_id, password } = options;
  const login = client_id === undefined ? {} : { client_id, password };
  const tokens = createTokens(options, () => call('clientToken', {}) as Promise<Issued>);

  const call: Caller = async (name, given = {}, callOptions = {}) => {
    const timeoutMs = callOptions.timeoutMs ?? options.timeoutMs ?? byDefault.timeoutMs;
    const retries = callOptions.retries ?? options.retries ?? byDefault.retries;
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = callOptions.signal ? AbortSignal.any([callOptions.signal, timeout]) : timeout;
    try {
      signal.throwIfAborted();
      const byPassword = calls[name].auth === 'credentials';
      const fields = (await withPicturesAsText(byPassword ? { ...login, ...given } : given)) as Fields;
      const sendOnce = (token: string | undefined) =>
        send({ url, call: name, fields, token, signal, fetch: transport });
      const attempt = await withToken({ name, fields, tokens, signal, sendOnce });
      return await persist(attempt, {
        retries: name === 'ready' ? 0 : retries,
        repeatable: isRepeatable(name, fields),
        endsAt: Date.now() + timeoutMs,
        signal,
      });
    } catch (error) {
      if (!timeout.aborted || error !== timeout.reason) throw error;
      throw new WajahError('timeout', {
        detail: `${calls[name].path} took longer than ${timeoutMs} ms`,
        cause: error,
      });
    }
  };
  return call;
}

interface TokenCall {
  readonly name: CallName;
  readonly fields: Fields;
  readonly tokens: Tokens;
  readonly signal: AbortSignal;
  readonly sendOnce: (token: string | undefined) => Promise<object>;
}

/**
 * One try of a call, with its token. It is fetched before, as fetching has retries of its own. A token that is
 * refused is renewed once: it may have been revoked, or the key of the server changed.
 */
async function withToken({
  name,
  fields,
  tokens,
  signal,
  sendOnce,
}: TokenCall): Promise<() => Promise<object>> {
  const current = () => unlessAborted(tokens.current(), signal);
  if (name === 'revokeToken') {
    const token = typeof fields['token'] === 'string' ? fields['token'] : await current();
    return async () => {
      const answer = await sendOnce(token);
      tokens.drop(token);
      return answer;
    };
  }
  if (calls[name].auth !== 'token') return () => sendOnce(undefined);
  let token = await current();
  return async () => {
    try {
      return await sendOnce(token);
    } catch (error) {
      if (!isWajahError(error) || error.code !== 'unauthorized' || !tokens.drop(token)) throw error;
      token = await current();
      return sendOnce(token);
    }
  };
}

interface Patience {
  readonly retries: number;
  readonly repeatable: boolean;
  /** When the whole call is given up, in milliseconds of `Date.now()`. */
  readonly endsAt: number;
  readonly signal: AbortSignal;
}

/** Tries again what was not executed, and what may be executed twice. */
async function persist(
  attempt: () => Promise<object>,
  { retries, repeatable, endsAt, signal }: Patience,
): Promise<object> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (tried > retries || !isWajahError(error) || !mayRepeat(error, repeatable)) throw error;
      const wait = waitBefore(tried, error.retryAfterMs);
      if (wait === undefined || Date.now() + wait >= endsAt) throw error;
      await sleep(wait, signal);
    }
  }
}

function mayRepeat({ status, http }: WajahError, repeatable: boolean): boolean {
  if (status === '429' || status === '503') return true;
  if (status === 'unexpected') return repeatable && [429, 502, 503, 504].includes(http ?? 0);
  return status === 'network' && repeatable;
}
