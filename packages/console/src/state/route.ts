import { signal } from '@preact/signals';

export const pages = ['recognise', 'try', 'galleries', 'liveness', 'activity', 'keys', 'system'] as const;
type PageName = (typeof pages)[number];

/** The route of the address: `#/galleries/office` is page `galleries` with the item `office`. */
interface Route {
  readonly page: PageName;
  readonly item?: string;
}

export const route = signal<Route>(parse(location.hash));
addEventListener('hashchange', () => {
  route.value = parse(location.hash);
});

/** @example hrefOf('galleries', 'a/b'); // '#/galleries/a%2Fb' */
export function hrefOf(page: PageName, item?: string): string {
  return item === undefined ? `#/${page}` : `#/${page}/${encodeURIComponent(item)}`;
}

function parse(hash: string): Route {
  const [, name, item] = hash.split('/');
  const page = pages.find((known) => known === name) ?? 'recognise';
  if (!item) return { page };
  try {
    return { page, item: decodeURIComponent(item) };
  } catch {
    return { page };
  }
}
