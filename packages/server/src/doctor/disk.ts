import { readFileSync, realpathSync, statfsSync } from 'node:fs';
import { bad, type DoctorFinding, doubtful, good } from './findings.ts';

/** A start, its log and a test write need so much. */
const leastBytes = 64 * 2 ** 20;

/** @param size of the database, bytes */
export function checkDisk(path: string, size: number): DoctorFinding {
  const { bavail, bsize, files, ffree } = statfsSync(path);
  const free = bavail * bsize;
  const space = `${(size / 1e6).toFixed(1)} MB, ${(free / 1e9).toFixed(1)} GB free`;
  if (free < leastBytes || (files > 0 && ffree === 0)) {
    return bad('disk', `full (${space}): nothing is stored; make room, or move the data directory`);
  }
  return free < 2 * size + 1e9
    ? doubtful('disk', `${space}; a backup or an upgrade may not fit: make room`)
    : good('disk', space);
}

/** File systems of networks, as Linux names them. Locks and syncs of some of them are not what a database needs. */
const ofNetworks =
  /^(nfs4?|cifs|smb3?|smbfs|9p|ceph|afs|glusterfs|lustre|fuse\.(sshfs|s3fs|glusterfs|gcsfuse|rclone))$/;

/** Whether a directory lies on a network file system. */
export function checkFileSystem(path: string): DoctorFinding[] {
  const type = fileSystemOf(realpathSync(path), mounts());
  if (type === null || !ofNetworks.test(type)) return [];
  return [
    bad(
      'file system',
      `${path} is on a network file system (${type}), where locks of databases are not reliable; use a local disk, or PostgreSQL`,
    ),
  ];
}

/** Empty where there is no /proc. */
function mounts(): string {
  try {
    return readFileSync('/proc/self/mounts', 'utf8');
  } catch {
    return '';
  }
}

/**
 * @param table as /proc/self/mounts: device, folder and type in each line
 * @returns the type of the last mount above the path; null: unknown
 */
export function fileSystemOf(path: string, table: string): string | null {
  let [longest, found]: [string, string | null] = ['', null];
  for (const line of table.split('\n')) {
    const [, folder = '', type = ''] = line.split(' ').map((part) => part.replaceAll('\\040', ' '));
    const above = folder === '/' ? '/' : `${folder}/`;
    if (folder !== '' && `${path}/`.startsWith(above) && folder.length >= longest.length)
      [longest, found] = [folder, type];
  }
  return found;
}
