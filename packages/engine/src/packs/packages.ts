import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Folder of what releases bring along in the npm package `@wajah/models`; a checkout has it without networks and packs.
 * @param kind `networks`: folders as in the cache of converted networks; `packs`: installed packs by name
 */
export function shippedFolder(kind: 'networks' | 'packs'): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('@wajah/models/package.json')), kind);
  } catch {
    return undefined;
  }
}
