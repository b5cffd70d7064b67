import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Date of everything that a release contains, seconds since 1970, so that equal sources give equal bytes. */
export const EPOCH = Number(process.env.SOURCE_DATE_EPOCH ?? 1767225600);

/** The version of all packages. */
export const VERSION = readJson(`${root}package.json`).version;

/** Processors by their names in Node, and in Debian and OCI. */
export const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };

/** The workspaces that are published, by name. */
export const PACKAGES = {
  contract: 'packages/contract',
  engine: 'packages/engine',
  console: 'packages/console',
  guide: 'packages/guide',
  server: 'packages/server',
  compreface: 'packages/compreface',
  tools: 'packages/tools',
  client: 'packages/client',
  capture: 'packages/capture',
  lab: 'lab',
};

/** Runs a program to its end. @returns its standard output @throws Error with what it printed when it fails */
export function run(program, args, { cwd = root, env = {} } = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, SOURCE_DATE_EPOCH: String(EPOCH), ...env },
  });
  if (status === 0) return stdout;
  throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? `${stdout}${stderr}`.trim()}`);
}

export function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Digest of a file. @param algorithm `sha256` or `sha512` */
export function digestOf(path, algorithm = 'sha256', encoding = 'hex') {
  return createHash(algorithm).update(readFileSync(path)).digest(encoding);
}

/** Packs a folder with fixed dates, owners and order. @param names of what is in the archive, below `folder` */
export function archive(file, folder, names, ...options) {
  const fixed = ['--sort=name', `--mtime=@${EPOCH}`, '--owner=0', '--group=0', '--numeric-owner'];
  run('tar', [...fixed, ...options, '-cf', file, '-C', folder, ...names]);
}

/** `archive`, compressed by xz. @param level 0…9 */
export function tarball(file, folder, names, level) {
  archive(file, folder, names, '--use-compress-program', `xz -T1 -${level}`);
}

/** Whether a program can be started by its name. */
export function hasProgram(name) {
  return spawnSync('sh', ['-c', 'command -v "$0"', name]).status === 0;
}
