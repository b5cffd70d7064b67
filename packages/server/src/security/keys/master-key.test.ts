import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../../test/support/store.ts';
import { temporaryDirectory } from '../../../test/support/temporary.ts';
import { OperatorError } from '../../errors.ts';
import type { Keys } from '../vaults/sealing.ts';
import { keyDigest, openMasterKey, requireOneMasterKey, writeKeyFile } from './master-key.ts';

function stand() {
  const directory = temporaryDirectory();
  const { meta } = openStore(directory);
  const warnings: string[] = [];
  const open = async (secretKey: Uint8Array | null) => {
    const sources = { dataDir: directory, secretKey, secretKeySource: 'file /etc/key' };
    return openMasterKey(sources, meta, (line) => warnings.push(line));
  };
  return { open, warnings, directory, meta, file: join(directory, 'secret.key') };
}

describe('the master key', () => {
  it('is generated at the first start, with a warning, readable by its owner only', async () => {
    const { open, warnings, file } = stand();
    const key = await open(null);
    expect(key).toHaveLength(32);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(file);
    expect(warnings[0]).not.toContain(readFileSync(file, 'utf8').trim());
    expect(Buffer.from(await open(null))).toEqual(Buffer.from(key));
    expect(warnings).toHaveLength(1);
  });

  it('is the configured one, and no file is created', async () => {
    const { open, warnings, file } = stand();
    const key = randomBytes(32);
    expect(await open(key)).toBe(key);
    expect(existsSync(file)).toBe(false);
    expect(warnings).toEqual([]);
  });

  it('that differs from the one the data were sealed under stops the start', async () => {
    const { open } = stand();
    await open(randomBytes(32));
    await expect(open(randomBytes(32))).rejects.toThrow(OperatorError);
    await expect(open(randomBytes(32))).rejects.toThrow('WAJAH_SECRET_KEY (file /etc/key) is not the key');
  });

  it('must be the same in the setting and the file', async () => {
    const { open, file, meta } = stand();
    const key = await open(null);
    expect(Buffer.from(await open(Buffer.from(key)))).toEqual(Buffer.from(key));
    const differs = `WAJAH_SECRET_KEY (file /etc/key) differs from ${file}`;
    const setting = randomBytes(32);
    await expect(open(setting)).rejects.toThrow(`${differs}, which the data are sealed under: unset`);
    rmSync(file);
    await meta.set('master_key_check', keyDigest(setting));
    writeKeyFile(file, [key]);
    await expect(open(setting)).rejects.toThrow(`${differs}; the data are sealed under the setting: move`);
    const neither = `${differs}, and the data are sealed under neither: give the right key`;
    await expect(open(randomBytes(32))).rejects.toThrow(neither);
  });

  it('is not generated again when it was lost', async () => {
    const { open, file } = stand();
    await open(null);
    rmSync(file);
    await expect(open(null)).rejects.toThrow('is missing');
    expect(existsSync(file)).toBe(false);
  });

  it.each(['', 'abc', 'g'.repeat(64), '0'.repeat(65)])('in a file of %j is refused', async (text) => {
    const { open, file } = stand();
    writeFileSync(file, text, { mode: 0o600 });
    await expect(open(null)).rejects.toThrow('64 hexadecimal digits');
  });

  it('is refused when other users can read it', async () => {
    const { open, file } = stand();
    await open(null);
    chmodSync(file, 0o644);
    await expect(open(null)).rejects.toThrow('chmod 600');
  });

  it.each([0, 1])(
    'of two in the file, as an interrupted replacement leaves them, is that of the store: %s',
    async (which) => {
      const { open, file, directory } = stand();
      const keys: Keys = [randomBytes(32), randomBytes(32)];
      writeKeyFile(file, [keys[which]!]);
      await open(null);
      writeKeyFile(file, keys);
      // What is sealed apart from the store does not choose.
      expect(() => requireOneMasterKey({ dataDir: directory, secretKey: null, secretKeySource: '' })).toThrow(
        'holds two keys',
      );
      expect(await open(null)).toEqual(keys[which]);
      expect(readFileSync(file, 'utf8')).toBe(`${Buffer.from(keys[which]!).toString('hex')}\n`);
      expect(requireOneMasterKey({ dataDir: directory, secretKey: null, secretKeySource: '' })).toEqual([
        keys[which],
      ]);
    },
  );

  it('that opens nothing leaves a file with two keys as it is', async () => {
    const { open, file } = stand();
    writeKeyFile(file, [randomBytes(32)]);
    await open(null);
    writeKeyFile(file, [randomBytes(32), randomBytes(32)]);
    const before = readFileSync(file, 'utf8');
    await expect(open(null)).rejects.toThrow(`${file} is not the key that`);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});
