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
/** Pixels that pages were scrolled by when they were left, by their address. */
export const leftAt: Record<string, number> = {};

addEventListener('hashchange', ({ oldURL }) => {
  leftAt[oldURL] = scrollY;
  signInLink.value = takeSignInLink() ?? signInLink.value;
  route.value = parse(location.hash);
});

/** @example hrefOf('galleries', 'a/b'); // '#/galleries/a%2Fb' */
export function hrefOf(page: string, ...parts: readonly (string | undefined)[]): string {
  const given = parts.flatMap((part) => (part === undefined ? [] : encodeURIComponent(part)));
  return ['#', page, ...given].join('/');
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
