import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sharedEngine } from '../../../packages/engine/test/support/shared-engine.ts';
import { createTemplateVault } from '../../../packages/server/src/security/vaults/template-vault.ts';
import { embeddingSpecText } from '../../../packages/server/src/services/galleries/embedding-spec.ts';
import { temporaryDirectory } from '../../../packages/server/test/support/temporary.ts';
import { Run, wajah } from '../../support/program.ts';
import { killWhen, newPlace, type Place, sizeOf } from './place.ts';

const count = 1000;

/** A client with people of five random templates each, about 10 MB. */
async function fill(place: Place): Promise<void> {
  await wajah(place.settings, 'client', 'create', 'acme');
  const embeddingSpec = embeddingSpecText((await sharedEngine()).embeddingSpec);
  const { dimensions } = JSON.parse(embeddingSpec) as { dimensions: number };
  const store = await place.openStore();
  const gallery = (await store.galleries.get('acme', 'acme@trial'))!;
  const vault = createTemplateVault(place.key).gallery(gallery);
  const random = () => Float32Array.from({ length: dimensions }, () => Math.random() - 0.5);
  for (let i = 0; i < count; i += 100) {
    const names = Array.from({ length: 100 }, (_, k) => `u${i + k}`);
    const people = names.map((userId) => {
      const template = vault.sealAll(userId, Array.from({ length: 5 }, random));
      return { userId, userName: userId, template, embeddingSpec };
    });
    await Promise.all(people.map((one) => store.faces.put(gallery.id, one, false)));
  }
  await store.close();
}

async function peopleOf(place: Place) {
  const store = await place.openStore();
  const gallery = await store.galleries.get('acme', 'acme@trial');
  const people = gallery ? await store.faces.list(gallery.id) : [];
  const template = gallery && (await store.faces.get(gallery.id, 'u77'))?.template;
  await store.close();
  return { version: gallery?.version, people: people.length, template: template && Buffer.from(template) };
}

/** Moments as parts of the whole work: one at the begin, one anywhere. */
const moments = [0, Math.random()];

/** A backup and a restore leave nothing half. */
export async function backupsAreWhole(source: Place): Promise<void> {
  await fill(source);
  const before = await peopleOf(source);
  expect(before.people).toBe(count);
  const folder = temporaryDirectory();
  const backup = join(folder, 'backup');
  const command = ['backup', backup];
  expect((await wajah(source.settings, ...command)).code).toBe(0);
  const whole = sizeOf(backup);
  for (const moment of moments) {
    rmSync(backup);
    await killWhen(new Run(source.settings, command), () => {
      return (
        existsSync(backup) || (existsSync(`${backup}.part`) && sizeOf(`${backup}.part`) >= moment * whole)
      );
    });
    // It has its name only when it is complete.
    if (existsSync(backup)) {
      const { code } = await wajah(source.settings, 'backup', 'verify', backup);
      expect(code, `killed at ${moment}`).toBe(0);
    }
    rmSync(backup, { force: true });
    expect(await wajah(source.settings, ...command)).toMatchObject({ code: 0 });
  }
  expect(readdirSync(folder)).toEqual(['backup']);
  expect(await peopleOf(source)).toEqual(before);

  const target = await newPlace(source.kind, source.key);
  const restored = await restoreInto(await newPlace(source.kind, source.key), backup, before);
  for (const moment of moments) {
    await target.free();
    const first = await target.size();
    await killWhen(new Run(target.settings, ['restore', backup, '--force']), async () => {
      const written = (await target.size()) - first;
      return written > 0 && written >= moment * 0.8 * restored;
    });
    await target.free();
    const left = await peopleOf(target);
    expect([undefined, 0, count], `killed at ${moment}`).toContain(left.people);
    if (left.people > 0) expect(left).toEqual(before);
  }
  await target.free();
  await restoreInto(target, backup, before);
  await source.free();
  expect(await peopleOf(source)).toEqual(before);
}

/** @returns bytes of the store */
async function restoreInto(target: Place, backup: string, expected: object): Promise<number> {
  const done = await wajah(target.settings, 'restore', backup, '--force');
  expect(done).toMatchObject({ code: 0 });
  const { WAJAH_DATA_DIR: dataDir } = target.settings;
  expect(readdirSync(dataDir).filter((name) => name.includes('restoring'))).toEqual([]);
  await target.free();
  const size = await target.size();
  expect(await peopleOf(target)).toEqual(expected);
  return size;
}
