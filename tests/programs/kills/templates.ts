import { expect } from 'vitest';
import {
  engine,
  expectConverted,
  filled,
  key,
  migrationOf,
} from '../../../packages/server/test/support/conversion.ts';
import { at, expectSwitched, names, ready } from '../../../packages/server/test/support/template-switch.ts';
import { killAtLines, type Place, script } from './place.ts';

/** No face is lost, and the next process completes the switch. */
export async function switchIsCompleted(place: Place): Promise<void> {
  const prepared = await place.openStore();
  const id = await ready(prepared);
  await prepared.close();
  const run = script('migrate-slowly.mjs', place.address, 'c2', String(at.getTime()));
  const versions = await killAtLines(run, (lines) => lines.length >= 4);
  // The switch was interrupted.
  expect(Number(versions.at(-1))).toBeGreaterThan(names.length);
  expect(Number(versions.at(-1))).toBeLessThan(2 * names.length);
  const store = await place.openStore();
  expect(['done', null]).toContain(await store.templateMigration.switchGallery(id, 'c2', at));
  await expectSwitched(store, id);
  await store.close();
}

/** Two processes are killed, and the third one has converted every template. */
export async function conversionIsCompleted(place: Place): Promise<void> {
  await (await filled(place.address)).close();
  for (const kills of [1, 2]) {
    const run = script('convert-slowly.mjs', place.address, key.toString('hex'), JSON.stringify(engine));
    expect(await killAtLines(run, (lines) => lines.length >= kills)).not.toContain('done');
  }
  const store = await place.openStore();
  await migrationOf(store).migrateAll();
  await expectConverted(store);
  await store.close();
}
