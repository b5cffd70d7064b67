import { argument, flag, required, secretOptions, tool } from './command.ts';

const heading = 'Stored data:';

/** Copies of the store. */
export const backupCommands = [
  tool('backUp', {
    name: 'backup',
    heading,
    line: 'write a sealed, verified copy of the store',
    about:
      'write a verified copy of the store into a new file, sealed under the master key unless another secret is named; ' +
      'also while servers run',
    arguments: { file: argument('<file>', 'the new file; it must not exist') },
    options: {
      ...secretOptions,
      plain: flag('--plain', 'copy the embedded database as it is, not sealed: names of people are readable'),
    },
  }),
  tool('verifyBackup', {
    name: 'backup verify',
    line: 'read a backup and compare every digest',
    about: 'read a backup and compare the digest of every table; nothing is written',
    arguments: { file: argument('<file>') },
    options: secretOptions,
  }),
  tool('restore', {
    name: 'restore',
    heading,
    line: 'restore a backup into the configured store',
    about: 'restore a backup into the configured store while no server runs; completely, or not at all',
    arguments: { file: argument('<file>') },
    options: {
      ...secretOptions,
      force: flag('--force', 'replace a store that holds clients; the former database file is kept'),
    },
  }),
  tool('migrateStore', {
    name: 'migrate-store',
    heading,
    line: 'copy everything from one store into another',
    about: 'copy everything from one store into another while no server uses either; resumable',
    options: {
      from: required(
        '--from <store>',
        'a data directory, a postgres:// URL, or data or database for those of the settings',
      ),
      to: required('--to <store>', 'the same; it must be empty'),
    },
  }),
] as const;
