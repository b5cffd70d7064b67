import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './sources.ts';

/**
 * Installs packages of exact versions for long tests: too large for everybody who installs the repository. Docs of them
 * are in docs/dev/dependencies.md.
 * @returns the folder that has their node_modules; undefined when the registry is not reached
 */
export function npmTool(packages: Readonly<Record<string, string>>): string | undefined {
  const key = createHash('sha256').update(JSON.stringify(packages)).digest('hex').slice(0, 12);
  const folder = join(root, '.cache/tools', key);
  if (existsSync(folder)) return folder;
  const made = `${folder}-${process.pid}`;
  mkdirSync(made, { recursive: true });
  writeFileSync(join(made, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
  try {
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--silent'];
    execFileSync('npm', ['install', ...options], { cwd: made, stdio: 'ignore' });
    renameSync(made, folder);
    return folder;
  } catch {
    return undefined;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}
