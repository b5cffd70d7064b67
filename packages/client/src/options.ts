/** Address and credentials of a client. */
export interface ClientOptions {
  /** Base URL of the server: `http://127.0.0.1:8080`, or with a path. */
  readonly url: string | URL;
  /** With `password`: tokens are requested and renewed. */
  readonly clientId?: string | undefined;
  readonly password?: string | undefined;
  /** With `password`: further scopes of the tokens, separated by blanks: `diagnostics`, and for an operator `operate`. */
  readonly scope?: string | undefined;
  /** Instead of a password: a token, or a function that returns one and is called again after a 401. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** Milliseconds of a call with its retries and its token request. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Retries of a call where a retry is safe. Default 2. */
  readonly retries?: number | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call, which then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly retries?: number | undefined;
}

/** The base URL without a slash at its end. @throws TypeError when an option is invalid */
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
