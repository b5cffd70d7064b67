import { effect, type Signal, signal } from '@preact/signals';
import { dropStored, store, storedIn } from './storage.ts';

/** The signed-in client. */
export interface Session {
  readonly clientId: string;
  readonly token: string;
  /** The token has the scope `operate`. */
  readonly operator?: boolean;
}

/** Scopes that a session asks for: Measure shows spoof figures, and operators have pages of their own. */
export const askedScope = 'diagnostics operate';

/** The session of a client whose token was issued with `askedScope`. */
export function sessionOf(
  clientId: string,
  { access_token: token, scope = '' }: { readonly access_token: string; readonly scope?: string | undefined },
): Session {
  return { clientId, token, operator: scope.split(' ').includes('operate') };
}

type End = 'left' | 'expired';

/**
 * Session storage is one tab's own: it outlives a reload and the way between `/console` and `/docs`. Tabs that are opened
 * later put the token together from two halves, of which neither is one: its signature is in a cookie that ends with the
 * browser, the rest in local storage.
 */
const storageKey = 'wajah.session';

export const session = signal<Session | null>(stored());

/** Why the last session ended. */
export const sessionEnd = signal<'none' | End>('none');

/** Tells the other tabs of this browser that somebody signed out. */
const tabs = new BroadcastChannel(storageKey);
tabs.addEventListener('message', () => forget('left', true));

/** The last end was none that somebody chose in this tab: unfinished work stays for the same client. */
let isInterrupted = false;

// A page that the browser kept for "back" does not know what another page of the tab did meanwhile.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) session.value = stored();
});

export function beginSession(started: Session): void {
  session.value = started;
  sessionEnd.value = 'none';
  store('sessionStorage', storageKey, JSON.stringify(started));
  const { token } = started;
  const end = token.lastIndexOf('.');
  store('localStorage', storageKey, JSON.stringify({ ...started, token: token.slice(0, end) }));
  // biome-ignore lint/suspicious/noDocumentCookie: the other interface is there over HTTPS only
  document.cookie = `${storageKey}=${token.slice(end)};samesite=strict`;
}

/** Ends the session of this tab; signing out ends those of all tabs. */
export function endSession(why: End): void {
  forget(why, why === 'expired');
  if (why === 'left') tabs.postMessage(why);
}

function forget(why: End, interrupted: boolean): void {
  if (session.value === null) return;
  // Another tab may have a newer token.
  if (why === 'left' || sharedSession()?.token === session.value.token)
    store('localStorage', storageKey, null);
  isInterrupted = interrupted;
  sessionEnd.value = why;
  session.value = null;
  store('sessionStorage', storageKey, null);
  if (why === 'left') dropStored();
}

/** The session of this tab: its own, or that of the browser. */
function stored(): Session | null {
  const own = sessionIn(storedIn('sessionStorage', storageKey)) ?? sharedSession();
  if (own) store('sessionStorage', storageKey, JSON.stringify(own));
  return own;
}

function sharedSession(): Session | null {
  const [, signature] = document.cookie.split(`${storageKey}=`);
  return signature ? sessionIn(storedIn('localStorage', storageKey), signature.split(';')[0]) : null;
}

function sessionIn(text: string | null, signature = ''): Session | null {
  try {
    const { clientId, token, operator } = JSON.parse(text ?? '{}') as Partial<Session>;
    if (typeof clientId !== 'string' || typeof token !== 'string') return null;
    return { clientId, token: token + signature, operator: operator === true };
  } catch {
    return null;
  }
}

/**
 * State of a page that stays while other pages are open. It is in memory only, and is dropped when the session ends.
 * @param release frees what a dropped value holds
 * @param isWork that is nowhere else: it is dropped when somebody signs out in this tab, or another client signs in
 */
export function keptSignal<Value>(
  initial: Value,
  release?: (value: Value) => void,
  isWork = false,
): Signal<Value> {
  const kept = signal(initial);
  let owner: string | undefined;
  effect(() => {
    const reader = session.value?.clientId;
    const isSame = owner === undefined || owner === reader;
    if (reader === undefined ? isWork && isInterrupted : isSame) {
      owner ??= reader;
      return;
    }
    owner = reader;
    const dropped = kept.peek();
    if (dropped === initial) return;
    kept.value = initial;
    release?.(dropped);
  });
  return kept;
}

/**
 * A text that outlives a reload of the tab and the end of a sign-in, for the same client alone; who signs out drops it.
 * Empty: none.
 */
export function storedText(key: string): Signal<string> {
  const text = signal('');
  effect(() => {
    const reader = session.value?.clientId;
    if (reader === undefined) {
      text.value = '';
      return;
    }
    const { owner, text: before } = JSON.parse(storedIn('sessionStorage', key) ?? '{}');
    if (owner !== reader) store('sessionStorage', key, null);
    text.value = owner === reader ? before : '';
  });
  effect(() => {
    const kept = text.value;
    const owner = session.peek()?.clientId;
    if (owner !== undefined)
      store('sessionStorage', key, kept ? JSON.stringify({ owner, text: kept }) : null);
  });
  return text;
}
