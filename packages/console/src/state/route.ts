import { signal } from '@preact/signals';

/** The pages of every day, and those by which a server is set up. */
export const dailyPages = ['recognise', 'galleries', 'liveness', 'activity'] as const;
export const setUpPages = ['keys', 'webhooks', 'clients', 'system'] as const;
const pages = [...dailyPages, ...setUpPages];
type PageName = (typeof pages)[number];

/** The route of the address: `#/galleries/office/people/ani` is page `galleries`, item `office`, view `people`, part `ani`. */
interface Route {
  readonly page: PageName;
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
addEventListener('hashchange', () => {
  signInLink.value = takeSignInLink() ?? signInLink.value;
  route.value = parse(location.hash);
});

/** @example hrefOf('galleries', 'a/b'); // '#/galleries/a%2Fb' */
export function hrefOf(page: PageName, ...parts: readonly (string | undefined)[]): string {
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
  const [, name, ...parts] = hash.split('/');
  const page = pages.find((known) => known === name) ?? 'recognise';
  try {
    const [item, view, part] = parts.map(decodeURIComponent);
    return item ? { page, item, view, part } : { page };
  } catch {
    return { page };
  }
}
