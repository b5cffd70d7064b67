import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { root } from './sources.ts';

/** The folder of a reader: the sample pictures, and the packages as npm would put them. */
export function docsFolder(): string {
  const folder = temporaryDirectory();
  cpSync(join(root, 'samples'), join(folder, 'samples'), { recursive: true });
  mkdirSync(join(folder, 'node_modules/@wajah'), { recursive: true });
  mkdirSync(join(folder, 'node_modules/.bin'));
  symlinkSync(join(root, 'packages/client'), join(folder, 'node_modules/@wajah/client'));
  symlinkSync(join(root, 'packages/server/bin/wajah.js'), join(folder, 'node_modules/.bin/wajah'));
  return folder;
}
