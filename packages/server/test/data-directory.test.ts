import { chmodSync, existsSync, mkdirSync, readdirSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OperatorError } from '../src/errors.ts';
import { lockDataDirectory, readOwner } from '../src/store/data-directory.ts';
import { temporaryDirectory } from './support/temporary.ts';

describe('a data directory', () => {
  it('is readable by its owner only', () => {
    const path = join(temporaryDirectory(), 'deep', 'data');
    const owned = lockDataDirectory(path);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(statSync(join(path, 'owner.json')).mode & 0o777).toBe(0o600);
    owned.release();
  });

  it.skipIf(process.platform === 'win32')('is refused where others than its owner may write in it', () => {
    const path = temporaryDirectory();
    for (const [mode, who] of [
      [0o777, 'every user of this machine'],
      [0o1777, 'every user of this machine'],
      [0o702, 'every user of this machine'],
      [0o775, 'its group'],
      [0o2770, 'its group'],
    ] as const) {
      chmodSync(path, mode);
      expect(() => lockDataDirectory(path)).toThrow(`so ${who} can write in it; run chmod 700 on it`);
      expect(readdirSync(path)).toEqual([]);
    }
    chmodSync(path, 0o750);
    lockDataDirectory(path).release();
  });

  it.skipIf(!existsSync('/proc/self'))('is refused if it cannot be created, without endless attempts', () => {
    expect(() => lockDataDirectory('/proc/wajah')).toThrow(
      'WAJAH_DATA_DIR: /proc/wajah cannot be created (ENOENT)',
    );
    expect(() => lockDataDirectory('/proc/wajah/deep')).toThrow('cannot be created (ENOENT)');
  });

  it('has one owner, which is named to a second process', () => {
    const path = temporaryDirectory();
    const owned = lockDataDirectory(path);
    expect(() => lockDataDirectory(path)).toThrow(OperatorError);
    expect(() => lockDataDirectory(path)).toThrow(`process ${process.pid} on ${hostname()} since 20`);
    owned.release();
    owned.release();
    const next = lockDataDirectory(path);
    expect(readOwner(path)).toMatchObject({ pid: process.pid });
    next.release();
    expect(readOwner(path)).toBeNull();
  });

  it('has no owner if it does not exist or was never locked', () => {
    const path = temporaryDirectory();
    expect(readOwner(path)).toBeNull();
    expect(readOwner(join(path, 'none'))).toBeNull();
  });

  it('is refused with the name of the setting if it is not a directory', () => {
    const path = join(temporaryDirectory(), 'file');
    writeFileSync(path, '');
    expect(() => lockDataDirectory(path)).toThrow(/WAJAH_DATA_DIR: .*file cannot be created/);
    expect(() => lockDataDirectory(join(path, 'below'))).toThrow(/WAJAH_DATA_DIR/);
    const blocked = join(temporaryDirectory(), 'blocked');
    mkdirSync(join(blocked, 'lock.db'), { recursive: true });
    expect(() => lockDataDirectory(blocked)).toThrow(/WAJAH_DATA_DIR: .*cannot be locked/);
    const unsaid = temporaryDirectory();
    mkdirSync(join(unsaid, 'owner.json.new'));
    expect(() => lockDataDirectory(unsaid)).toThrow(/WAJAH_DATA_DIR: .*cannot be written \(EISDIR\)/);
    rmdirSync(join(unsaid, 'owner.json.new'));
    lockDataDirectory(unsaid).release();
  });
});
