import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { ofFileSystem } from './file-system.ts';

it('a network file system is bad, one of a program doubtful, a local one nothing', () => {
  expect(ofFileSystem('/srv', { type: 0x6969 })).toMatchObject([
    {
      severity: 'bad',
      id: 'file_system',
      sentence: expect.stringMatching(/^\/srv is .*\(NFS\)/),
      remedy: expect.stringMatching(/^use a local disk/),
    },
  ]);
  expect(ofFileSystem('/srv', { type: 0x65735546 })).toMatchObject([
    { severity: 'doubtful', id: 'file_system' },
  ]);
  expect(ofFileSystem(tmpdir())).toEqual([]);
});
