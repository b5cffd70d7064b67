import { existsSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shellQuoted } from './shell.ts';

/** The folder of the checkout, or that whose `node_modules` has the program. */
export const installationFolder = folderOf(fileURLToPath(new URL('../../', import.meta.url)));

function folderOf(server: string): string {
  const above = dirname(dirname(server));
  return basename(above) === 'node_modules' ? dirname(above) : above;
}

/** The file `.env` of the installation; null: there is none. It is never that of the folder in which a command runs. */
export function envFileOf(): string | null {
  const file = join(installationFolder, '.env');
  return existsSync(file) ? file : null;
}

/** The name that this process was started by, as a shell in its working directory understands it. */
export function nameStarted(): string {
  const script = process.argv[1] ?? '';
  const link = join(installationFolder, 'node_modules/.bin/wajah');
  // npm runs the link, `npm start` the script; an installation for the machine has a link of its own.
  if (script !== link && basename(script) !== 'wajah.js') return 'wajah';
  if (!relative(installationFolder, process.cwd()).startsWith('..')) return 'npx --no wajah';
  return /[^\w./-]/.test(link) ? shellQuoted(link) : link;
}
