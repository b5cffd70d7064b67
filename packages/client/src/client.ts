import { abortable } from './abort.ts';
import { isWajahError, WajahError } from './errors.ts';
import { createGallery, type Gallery } from './gallery.ts';
import { type CallOptions, type ClientOptions, checkedUrl } from './options.ts';
import { withPicturesAsText } from './pictures.ts';
import { isRepeatable, withRetries } from './retry.ts';
import { type CallName, send } from './send.ts';
import { createTokenSource, type TokenSource } from './tokens.ts';
import { type Calls, type ClientTokenAnswer, calls } from './wire.ts';

/** The API of a server with the credentials of one client: one method for each endpoint. */
export interface WajahClient extends Calls {
  /** The calls of one gallery. Sends nothing. */
  gallery(facegallery_id: string): Gallery;
}

type Fields = Readonly<Record<string, unknown>>;
type Caller = (call: CallName, fields?: Fields, options?: CallOptions) => Promise<object>;

const defaults = { timeoutMs: 30_000, retries: 2 };

/**
 * Creates a client. Nothing is sent before the first call.
 * @throws TypeError when an option is invalid
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
  const { clientId: client_id, password, scope } = options;
  const login = client_id === undefined ? {} : { client_id, password };
  const tokens = createTokenSource(
    options,
    () => call('clientToken', { scope }) as Promise<ClientTokenAnswer>,
  );

  const call: Caller = async (name, given = {}, callOptions = {}) => {
    const timeoutMs = callOptions.timeoutMs ?? options.timeoutMs ?? defaults.timeoutMs;
    const retries = callOptions.retries ?? options.retries ?? defaults.retries;
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = callOptions.signal ? AbortSignal.any([callOptions.signal, timeout]) : timeout;
    try {
      signal.throwIfAborted();
      const withLogin = calls[name].auth === 'credentials' ? { ...login, ...given } : given;
      const fields = (await withPicturesAsText(withLogin)) as Fields;
      const sendOnce = (token: string | undefined) =>
        send({ url, call: name, fields, token, signal, fetch: transport });
      const attempt = await withToken({ name, fields, tokens, signal, sendOnce });
      return await withRetries(attempt, {
        retries: name === 'ready' ? 0 : retries,
        repeatable: isRepeatable(name, fields),
        deadline: Date.now() + timeoutMs,
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
  readonly tokens: TokenSource;
  readonly signal: AbortSignal;
  readonly sendOnce: (token: string | undefined) => Promise<object>;
}

/**
 * One attempt of a call, with its token. The token is fetched first, outside of the attempt, as fetching has its own
 * retries. A refused token is renewed once: it may have been revoked, or the server's key rotated.
 */
async function withToken(call: TokenCall): Promise<() => Promise<object>> {
  const { name, fields, tokens, signal, sendOnce } = call;
  const current = () => abortable(tokens.current(), signal);
  if (name === 'revokeToken') {
    const token = typeof fields['token'] === 'string' ? fields['token'] : await current();
    return async () => {
      const answer = await sendOnce(token);
      tokens.drop(token);
      return answer;
    };
  }
  if (calls[name].auth) return () => sendOnce(undefined);
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
