import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqliteStore } from '../../server/src/store/sqlite-store.ts';
import { ended, linesOf, startChild } from '../../server/test/support/child.ts';
import { allFaces, face, newGallery, openStore } from '../../server/test/support/store.ts';
import { temporaryDirectory } from '../../server/test/support/temporary.ts';
import { backUp } from '../src/store/plain-backup.ts';

it('a backup is one complete file, readable by its owner only, without erased data', async () => {
  const directory = temporaryDirectory();
  const store = openStore(directory);
  const { id } = await newGallery(store);
  for (let i = 0; i < 50; i++) {
    await store.faces.put(id, { ...face(`u${i}`), crop: Buffer.from(`crop u${i}`) }, false);
  }
  await store.faces.remove(id, 'u7');
  const target = join(temporaryDirectory(), 'backup.db');
  const bytes = backUp(join(directory, 'wajah.db'), target);
  expect(statSync(target)).toMatchObject({ size: bytes, mode: 0o100600 });
  expect(readdirSync(join(target, '..'))).toEqual(['backup.db']);
  expect(readFileSync(target).includes('template u8')).toBe(true);
  expect(readFileSync(target).includes('template u7')).toBe(false);
  expect(readFileSync(target).includes('crop u7')).toBe(false);
  await store.faces.put(id, face('later'), false);

  const restored = openSqliteStore(target);
  expect(await allFaces(restored, id)).toMatchObject({ total: 49, version: 51 });
  expect((await restored.crops.get(id, 'u8')).map(String)).toEqual(['crop u8']);
  expect(await restored.faces.put(id, face('after'), false)).toBe(52);
  await restored.close();
});

it('a backup overwrites no file, and leaves none when it fails', async () => {
  const directory = temporaryDirectory();
  const store = openStore(directory);
  await newGallery(store);
  const file = join(directory, 'wajah.db');
  expect(() => backUp(file, file)).toThrow(/exists already/);
  expect(() => backUp(join(directory, 'none.db'), join(directory, 'x'))).toThrow(/nothing to back up/);
  expect(() => backUp(file, join(directory, 'nowhere', 'x'))).toThrow(/cannot be written \(ENOENT\)/);
  expect(existsSync(join(directory, 'nowhere'))).toBe(false);
});

it('backups of a store that a process writes to are complete, and do not block it', async () => {
  const directory = temporaryDirectory();
  const target = temporaryDirectory();
  const child = startChild('enrol-in-a-loop.mjs', directory, '0', '8');
  let enrolled = 0;
  let taken = 0;
  for await (const line of linesOf(child)) {
    if (line.startsWith('enrolled')) enrolled++;
    if (enrolled < (taken + 1) * 60) continue;
    const before = enrolled;
    const copy = join(target, `${taken}.db`);
    backUp(join(directory, 'wajah.db'), copy);
    const store = openSqliteStore(copy);
    const gallery = await store.galleries.get('a', 'main');
    const whole = await allFaces(store, gallery!.id);
    expect(whole).toMatchObject({ total: gallery!.faces, version: gallery!.version });
    expect(whole?.faces).toHaveLength(gallery!.faces);
    expect(gallery!.version).toBeGreaterThanOrEqual(before);
    const faces = (await store.galleries.list('a')).reduce((sum, each) => sum + each.faces, 0);
    expect((await store.clients.get('a'))?.used.faces).toBe(faces);
    await store.close();
    if (++taken === 4) child.kill('SIGKILL');
  }
  await ended(child);
  expect(taken).toBeGreaterThanOrEqual(4);
});
