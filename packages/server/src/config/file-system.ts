import { statfsSync } from 'node:fs';
import { bad, doubtful, type Fault } from './finding.ts';

/** File systems of networks by the magic number of statfs(2), whose locks and syncs are not what a database needs. */
const ofNetworks: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'CIFS',
  4266872130: 'SMB2',
  16914839: '9P',
  12805120: 'Ceph',
  1397113167: 'AFS',
  198183888: 'Lustre',
};
const fuse = 0x65735546;

/** Whether a directory lies on a network file system. @param type magic number of statfs(2) */
export function ofFileSystem(path: string, { type }: { readonly type: number } = statfsSync(path)): Fault[] {
  const what = 'file_system';
  const name = ofNetworks[type];
  if (name !== undefined) {
    const found = `${path} is on a network file system (${name}), where locks of databases are not reliable`;
    return [bad(what, found, 'use a local disk, or PostgreSQL')];
  }
  if (type !== fuse) return [];
  return [
    doubtful(
      what,
      `${path} is on a file system of a program (FUSE): unless that is a local disk, locks of databases are not reliable there`,
      'use a local disk, or PostgreSQL',
    ),
  ];
}
