import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);

/** The npm package of converted networks and installed packs, which releases have and a checkout has empty. */
const MODELS = '@wajah/models';

/** Folder of an installed npm package. `require.resolve` would fail: packages need not export their package.json. */
export function folderOfPackage(name: string): string | undefined {
  const folders = (require.resolve.paths(name) ?? []).map((modules) => join(modules, name));
  return folders.find((folder) => existsSync(join(folder, 'package.json')));
}

/**
 * Folder of what releases bring along.
 * @param kind `networks`: folders as in the cache of converted networks; `packs`: installed packs by name
 */
export function shippedFolder(kind: 'networks' | 'packs'): string | undefined {
  const models = folderOfPackage(MODELS);
  return models && join(models, kind);
}
