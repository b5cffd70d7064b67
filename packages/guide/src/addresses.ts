import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { PageSource } from './pages.ts';
import type { ResolveAddress } from './render-markdown.ts';

/** Pictures, data and programs that a page may show or link to; other source files are named only. */
const copied = /\.(svg|webp|png|jpe?g|json)$|^docs\/programs\//;

/**
 * Resolves the addresses of a document: links between documents lead to their pages, pictures are copied, links to
 * source files become plain names.
 * @param files receives the copied files: path on the site → path from the root of the repository
 * @throws Error when a link or picture of the repository does not exist
 */
export function addressResolver(
  root: string,
  page: PageSource,
  pages: readonly PageSource[],
  files: Map<string, string>,
): ResolveAddress {
  return (address) => {
    if (/^[a-z]+:/.test(address) || address.startsWith('#')) return address;
    const [path = '', anchor] = address.split('#');
    const source = posix.join(posix.dirname(page.source), path);
    const target = pages.find((other) => other.source === source)?.target;
    if (target) return `${relativeTo(page, target)}${anchor === undefined ? '' : `#${anchor}`}`;
    if (!existsSync(join(root, source))) throw new Error(`${page.source} links to ${address}: not found`);
    if (!copied.test(source)) return null;
    const copy = posix.join('files', source.replace(/^docs\//, ''));
    files.set(copy, source);
    return relativeTo(page, copy);
  };
}

/** The address of another file of the site, relative to a page: the site can be opened from a disk. */
export function relativeTo({ target }: PageSource, other: string): string {
  return posix.relative(posix.dirname(target), other) || posix.basename(other);
}
