import { signal } from '@preact/signals';

/** The route of the address: `#/galleries/office/people/ani` is page `galleries`, item `office`, view `people`, part `ani`. */
interface Route {
  /** Empty in an address without one. */
  readonly page: string;
  readonly item?: string | undefined;
  readonly view?: string | undefined;
  readonly part?: string | undefined;
}

/** What signs a client in once. */
interface SignInLink {
  readonly clientId: string;
  readonly code: string;
}

/** The link that the page was opened with, until it is used. */
export const signInLink = signal<SignInLink | null>(takeSignInLink());

export const route = signal<Route>(parse(location.hash));

/** Pixels that pages were scrolled by when they were left, by the hash of their address. */
const leftAt = new Map<string, number>();

addEventListener('hashchange', ({ oldURL }) => {
  leftAt.set(new URL(oldURL).hash, scrollY);
  signInLink.value = takeSignInLink() ?? signInLink.value;
  route.value = parse(location.hash);
});

/** @example hrefOf('galleries', 'a/b'); // '#/galleries/a%2Fb' */
export function hrefOf(page: string, ...parts: readonly (string | undefined)[]): string {
  const given = parts.flatMap((part) => (part === undefined ? [] : encodeURIComponent(part)));
  return ['#', page, ...given].join('/');
}

/** Where a page begins: one to which a reader returns from a page below it, where it was left. */
export function topOf(address: string, from: string): number {
  return from.startsWith(`${address}/`) ? (leftAt.get(address) ?? 0) : 0;
}

/** Takes the code out of the address and of the history of the browser. */
function takeSignInLink(): SignInLink | null {
  const [, clientId, code] = /^#\/sign-in\/([\w.@%-]+)\/([\w-]+)$/.exec(location.hash) ?? [];
  if (clientId === undefined || code === undefined) return null;
  history.replaceState(null, '', location.pathname);
  return { clientId: decodeURIComponent(clientId), code };
}

function parse(hash: string): Route {
  const [, page = '', ...parts] = hash.split('/');
  try {
    const [item, view, part] = parts.map(decodeURIComponent);
    return item ? { page, item, view, part } : { page };
  } catch {
    return { page };
  }
}
