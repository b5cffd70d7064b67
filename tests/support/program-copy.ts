import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { root } from './sources.ts';

/** A copy of the built program, in which parts may be broken. */
export interface ProgramCopy {
  /** Of the copy. */
  readonly folder: string;
  /** What starts it. */
  readonly script: string;
  /** Removes a package. */
  without(name: string): void;
  /** Replaces the link to a package by a copy, which finds its own packages in this one. @returns its folder */
  copyPackage(name: string): string;
}

const modulesOfRoot = join(root, 'node_modules');
/** What npm would install of a package of ours. */
const parts = ['package.json', 'bin', 'dist', 'wasm', 'data', 'networks', 'build.mjs', 'wire.mjs'];

/**
 * Copies our packages and links all others.
 * @param modules where the packages lie, in the layout of npm; absent: that of a checkout
 */
export function copyProgram(modules?: string): ProgramCopy {
  const folder = temporaryDirectory();
  const links = join(folder, modules ?? 'node_modules');
  mkdirSync(join(links, '@wajah'), { recursive: true });
  for (const name of readdirSync(join(root, 'packages'))) {
    const place = join(modules === undefined ? join(folder, 'packages') : join(links, '@wajah'), name);
    for (const part of parts) {
      const from = join(root, 'packages', name, part);
      if (existsSync(from)) cpSync(from, join(place, part), { recursive: true });
    }
    const link = join(links, '@wajah', name);
    if (modules === undefined) symlinkSync(relative(join(link, '..'), place), link);
  }
  for (const name of packagesIn(modulesOfRoot)) {
    mkdirSync(join(links, name, '..'), { recursive: true });
    symlinkSync(join(modulesOfRoot, name), join(links, name));
  }
  if (modules === undefined) {
    cpSync(join(root, 'package.json'), join(folder, 'package.json'));
    cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true });
  }
  return {
    folder,
    script: join(
      folder,
      modules === undefined ? 'packages/server' : `${modules}/@wajah/server`,
      'bin/wajah.js',
    ),
    without: (name) => rmSync(join(links, name), { recursive: true }),
    copyPackage(name) {
      rmSync(join(links, name));
      cpSync(join(modulesOfRoot, name), join(links, name), { recursive: true });
      return join(links, name);
    },
  };
}

/** Names of all packages but ours, those with a scope included. */
function packagesIn(modules: string): string[] {
  return readdirSync(modules)
    .filter((name) => !name.startsWith('.') && name !== '@wajah')
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(modules, name)).map((one) => `${name}/${one}`) : [name],
    );
}
