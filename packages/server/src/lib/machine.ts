import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { dirname, join, relative } from 'node:path';

/** Files of a cgroup that limit it, of both versions of cgroups(7): a value, or a quota and its period. */
const limitFiles = {
  cpu: [['cpu.max'], ['cpu.cfs_quota_us', 'cpu.cfs_period_us']],
  memory: [['memory.max'], ['memory.high'], ['memory.limit_in_bytes']],
} as const;
type Controller = keyof typeof limitFiles;

/**
 * Cores that this process may use, 1 or more: those that it sees, within the quotas of its cgroups.
 * @param root of the file system
 */
export function machineCores(root = '/', visible = availableParallelism()): number {
  return Math.max(1, Math.floor(Math.min(visible, cgroupLimit('cpu', root))));
}

/** Memory that this process may use, in bytes: the machine's, within the limits of its cgroups. */
export const machineMemory = (root = '/'): number => Math.min(totalmem(), cgroupLimit('memory', root));

/** The least limit of the cgroup of this process and of those above it; Infinity: none. */
function cgroupLimit(controller: Controller, root: string): number {
  const limits = cgroupFolders(controller, root).flatMap((folder) =>
    limitFiles[controller].map((files) => limitOf(files.map((file) => join(folder, file)))),
  );
  return Math.min(Number.POSITIVE_INFINITY, ...limits);
}

function limitOf(files: readonly string[]): number {
  const [limit, period = 1] = files.flatMap((file) => textOf(file).trim().split(' ')).map(Number);
  // Words and negative numbers stand for no limit.
  return limit !== undefined && limit > 0 ? limit / Number(period) : Number.POSITIVE_INFINITY;
}

/** The cgroup of this process and those above it, as far as they are mounted: containers see their own only. */
function cgroupFolders(controller: Controller, root: string): string[] {
  const memberships = textOf(join(root, 'proc/self/cgroup')).matchAll(/^\d+:(.*?):(.*)$/gm);
  const paths = new Map(
    [...memberships].flatMap(([, of = '', path]) => of.split(',').map((it) => [it, path])),
  );
  const mounts = textOf(join(root, 'proc/self/mountinfo')).matchAll(
    /^\S+ \S+ \S+ (\S+) (\S+) .* - (cgroup2?) \S+ (\S+)$/gm,
  );
  return [...mounts].flatMap(([, top = '', point = '', type, options = '']) => {
    if (type === 'cgroup' && !options.split(',').includes(controller)) return [];
    const path = relative(top, paths.get(type === 'cgroup' ? controller : '') ?? '/');
    const mounted = join(root, point);
    return foldersUpTo(mounted, path.startsWith('..') ? mounted : join(mounted, path));
  });
}

const foldersUpTo = (top: string, folder: string): string[] =>
  folder === top ? [top] : [folder, ...foldersUpTo(top, dirname(folder))];

const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
