/** How a client reaches its server. */
export interface ClientOptions {
  /** Where the server is, with or without a path before its endpoints: `http://127.0.0.1:8080`. */
  readonly url: string | URL;
  /** Name and password of a client: tokens are fetched and renewed. */
  readonly clientId?: string | undefined;
  readonly password?: string | undefined;
  /** Instead: a fixed token, or what gives one when it is needed and anew after a 401. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** Milliseconds that a call may take with its retries and the token it needs. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** How often a call is tried again where that is safe. Default 2; 0 never. */
  readonly retries?: number | undefined;
  /** What to use instead of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/** What one call does differently. */
export interface CallOptions {
  /** Gives the call up; it then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly retries?: number | undefined;
}

/** @throws TypeError when an option cannot be used */
export function checkedUrl({ url, clientId, password, token }: ClientOptions): string {
  const given = String(url);
  if (!URL.canParse(given) || !/^https?:/.test(given)) {
    throw new TypeError(`url: found '${given}'; allowed is http://… or https://…`);
  }
  if (new URL(given).username !== '') {
    throw new TypeError('url: found credentials; give them as clientId and password');
  }
  if ((clientId === undefined) !== (password === undefined)) {
    throw new TypeError('clientId and password: found one of them; give both, or a token');
  }
  if (clientId !== undefined && token !== undefined) {
    throw new TypeError('token: found beside clientId; give one or the other');
  }
  return given.replace(/[?#].*$/, '').replace(/\/+$/, '');
}
