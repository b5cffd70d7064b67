import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shellQuoted } from './shell.ts';

/**
 * The folder of the checkout, of the archive, or of the project that npm installed the program in; `.wajah` of the home
 * where npm installed it for the machine, whose folder is not the user's.
 */
export const installationFolder = folderOf(fileURLToPath(new URL('../..', import.meta.url)));

function folderOf(server: string): string {
  const inModules = server.indexOf(`${sep}node_modules${sep}`);
  if (inModules < 0) return dirname(dirname(server));
  const folder = server.slice(0, inModules);
  if (basename(folder) !== 'lib' || existsSync(join(folder, 'package.json'))) return folder;
  // An archive brings Node along: `bin/wajah`, `lib/node`, `lib/node_modules`.
  return existsSync(join(folder, 'node')) ? dirname(folder) : join(homedir(), '.wajah');
}

/** A path of a setting, absolute: the same one from wherever a command runs. */
export const settingPath = (given: string): string => resolve(installationFolder, given);

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
