import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../server/src/config/config.ts';
import { OperatorError } from '../../server/src/errors.ts';
import { openSqliteStore } from '../../server/src/store/sqlite-store.ts';
import { damage } from '../../server/test/support/hostile/damage.ts';
import { rounds } from '../../server/test/support/rounds.ts';
import { face, newGallery } from '../../server/test/support/store.ts';
import { temporaryDirectory } from '../../server/test/support/temporary.ts';
import { type ArchiveSecret, writeArchive } from '../src/archive.ts';
import { backupOperations } from '../src/backup.ts';
import { backUp } from '../src/store/plain-backup.ts';

const key = Buffer.alloc(32, 7);
const secret: ArchiveSecret = { kind: 'file', bytes: key };
const backups = (dataDir: string) =>
  backupOperations(loadConfig({ WAJAH_DATA_DIR: dataDir, WAJAH_SECRET_KEY: key.toString('hex') }), '0.0.1');
const ignore = () => undefined;

/** A folder with a store of 200 people, which is more than a chunk, its key in a file, and a backup under it. */
async function backedUp() {
  const folder = temporaryDirectory();
  const store = openSqliteStore(join(folder, 'wajah.db'));
  const { id } = await newGallery(store);
  const template = () => randomBytes(1000);
  for (let i = 0; i < 200; i += 1) {
    await store.faces.put(id, { ...face(`u${i}`), template: template() }, false);
  }
  await store.close();
  const keyFile = join(folder, 'key');
  writeFileSync(keyFile, key, { mode: 0o600 });
  const file = join(folder, 'backup');
  await backups(folder).backup(file, { keyFile }, ignore);
  return { folder, file, keyFile };
}

/** Offsets at which a part of an archive begins: the first line, then length, ciphertext and tag of each chunk. */
function boundaries(archive: Buffer): number[] {
  const found = [0];
  for (let at = archive.indexOf('\n') + 1; at < archive.length; ) {
    const end = at + 4 + archive.readUInt32BE(at);
    found.push(at, at + 4, end, end + 16);
    at = end + 16;
  }
  return found;
}

describe('a damaged backup', () => {
  it('is refused by verify and restore in a sentence, and nothing is written', async () => {
    const { folder, file, keyFile } = await backedUp();
    const whole = readFileSync(file);
    const parts = boundaries(whole);
    expect(parts.length).toBeGreaterThan(9);
    const damaged = join(folder, 'damaged');
    const target = join(folder, 'target');
    mkdirSync(target);
    const requireRefusal = async (bytes: Buffer, says = /damaged/) => {
      writeFileSync(damaged, bytes);
      const { verify, restore } = backups(target);
      for (const attempt of [
        () => verify(damaged, { keyFile }),
        () => restore(damaged, { keyFile }, true, ignore),
      ]) {
        const error = await attempt().then(ignore, (reason: unknown) => reason);
        expect(error).toBeInstanceOf(OperatorError);
        expect((error as Error).message).toMatch(says);
      }
      expect(readdirSync(target).filter((name) => name.startsWith('wajah.db'))).toEqual([]);
    };
    const cuts = parts.flatMap((at) => [at - 1, at, at + 1]).filter((at) => at >= 0 && at < whole.length);
    const refused = /damaged|incomplete|no archive of this program/;
    for (const at of cuts.slice(-6)) await requireRefusal(whole.subarray(0, at), refused);
    await fc.assert(
      fc.asyncProperty(damage(), (harm) =>
        requireRefusal(harm(whole), /damaged|incomplete|no archive|does not allow|other|sealed/),
      ),
      { numRuns: rounds(10) },
    );
    const [first = 0, second = 0, third = 0] = parts.filter((_, i) => i % 4 === 1);
    const [one, two] = [whole.subarray(first, second), whole.subarray(second, third)];
    await requireRefusal(Buffer.concat([whole.subarray(0, first), two, one, whole.subarray(third)]));
    await requireRefusal(Buffer.concat([whole.subarray(0, first), one, one, whole.subarray(third)]));
    await requireRefusal(Buffer.concat([whole, whole.subarray(first)]));
    const long4 = Buffer.from(whole);
    long4.writeUInt32BE(0xffff_ffff, first);
    await requireRefusal(long4, /a chunk is too long/);
    const heads: [string, RegExp][] = [
      ['wajah-archive 1 \n', /first line of the archive is damaged/],
      ['wajah-archive 1 {}\n', /first line of the archive is damaged/],
      ['wajah-archive 1 {"kind":"backup","key":null}\n', /first line of the archive is damaged/],
      ['SQLite format 3\0', /plain database/],
      ['PK\x03\x04', /no archive of this program/],
    ];
    for (const [text, says] of heads) await requireRefusal(Buffer.from(text), says);
    await expect(backups(target).verify(folder, { keyFile })).rejects.toThrow(/is no file/);
  });

  it('does not take lines that the holder of the key made up', async () => {
    const head = { store: 'sqlite', schema: 1, tables: [{ name: 'clients', columns: ['client_id'] }] };
    const made: [string[], RegExp][] = [
      [['no JSON\n'], /a line cannot be read/],
      [['{"head":{}}\n'], /a line cannot be read/],
      [[`${JSON.stringify({ head })}\n`, '{"table":"audit","rows":[[1]]}\n'], /a table is not in its list/],
      [[`${JSON.stringify({ head })}\n`, '{"table":"clients","rows":7}\n'], /a line cannot be read/],
      [[`${JSON.stringify({ head })}\n`], /its last line is missing/],
    ];
    const folder = temporaryDirectory();
    const keyFile = join(folder, 'key');
    writeFileSync(keyFile, key, { mode: 0o600 });
    for (const [index, [lines, says]] of made.entries()) {
      const file = join(folder, `backup-${index}`);
      const all = async function* () {
        yield* lines;
      };
      const first = { kind: 'backup', createdAt: '', program: '' } as const;
      await writeArchive(file, first, secret, all(), async () => undefined);
      await expect(backups(folder).verify(file, { keyFile })).rejects.toThrow(says);
    }
  });
});

describe('what a killed command leaves', () => {
  it('is removed by the next: old drafts of archives, and the log of a plain copy', async () => {
    const { folder } = await backedUp();
    const keyFile = join(folder, 'key');
    const old = new Date(Date.now() - 2 * 86_400_000);
    for (const [name, text] of Object.entries({ 'a.part': 'wajah-archive 1 {}\n', 'b.part': 'other' })) {
      writeFileSync(join(folder, name), text);
      utimesSync(join(folder, name), old, old);
    }
    writeFileSync(join(folder, 'c.part'), 'wajah-archive 1 {}\n');
    await backups(folder).backup(join(folder, 'next'), { keyFile }, ignore);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual(['b.part', 'c.part']);

    const plain = join(folder, 'plain.db');
    for (const end of ['', '-wal', '-journal']) writeFileSync(`${plain}.part${end}`, randomBytes(8192));
    backUp(join(folder, 'wajah.db'), plain);
    expect(readdirSync(folder).filter((name) => name.startsWith('plain'))).toEqual(['plain.db']);
    expect(existsSync(plain)).toBe(true);
  });
});
