import { signal } from '@preact/signals';

export const pages = [
  'recognise',
  'try',
  'galleries',
  'liveness',
  'activity',
  'keys',
  'webhooks',
  'system',
] as const;
type PageName = (typeof pages)[number];

/** The route of the address: `#/galleries/office/people/ani` is page `galleries`, item `office`, view `people`, part `ani`. */
interface Route {
  readonly page: PageName;
  readonly item?: string | undefined;
  readonly view?: string | undefined;
  readonly part?: string | undefined;
}

export const route = signal<Route>(parse(location.hash));
addEventListener('hashchange', () => {
  route.value = parse(location.hash);
});

/** @example hrefOf('galleries', 'a/b'); // '#/galleries/a%2Fb' */
export function hrefOf(page: PageName, ...parts: readonly (string | undefined)[]): string {
  const given = parts.flatMap((part) => (part === undefined ? [] : encodeURIComponent(part)));
  return ['#', page, ...given].join('/');
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
