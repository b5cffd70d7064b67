import { existsSync, statSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { definitionOf, installPack, type PackDefinition } from '@wajah/engine';
import { describe, expect, it } from 'vitest';
import { digest } from '../../../engine/src/packs/files.ts';
import { serveHttp } from '../../test/support/http-server.ts';
import { newDatabase, storeKinds } from '../../test/support/postgres.ts';
import { face, newGallery, openDatabaseStore } from '../../test/support/store.ts';
import { temporaryDirectory } from '../../test/support/temporary.ts';
import { loadConfig } from '../config/config.ts';
import { choiceFile, packChoice, storeName } from '../config/pack-choice.ts';
import { packOfNextStart } from '../store/next-pack.ts';
import { openSqliteStore } from '../store/sqlite-store.ts';
import { decideOnPack } from './embedder-pack.ts';

const bytes = Buffer.alloc(5000, 7);
const bounds = { idleMs: 10_000, mostMs: 30_000 };

/** An installation without people, and the pack with a small file at an address of this machine. */
async function installation(answer: (response: ServerResponse) => void = (it) => it.end(bytes), env = {}) {
  let requests = 0;
  const { url } = await serveHttp((_, response) => {
    requests++;
    answer(response);
  });
  const dataDir = join(temporaryDirectory(), 'data');
  const config = loadConfig({ WAJAH_DATA_DIR: dataDir, ...env });
  const definition = await smallPack(url);
  return {
    config,
    dataDir,
    url,
    definition,
    requests: () => requests,
    decide: (within = bounds) => decideOnPack(config, definition, within),
    chosen: async () => (await packChoice(config.packs)).id,
  };
}

async function smallPack(url: string): Promise<PackDefinition> {
  const known = await definitionOf('plus');
  const network = known.networks['second-embedder']!;
  const source = { kind: 'onnx' as const, url, sha256: digest(bytes), bytes: bytes.length };
  return { ...known, networks: { 'second-embedder': { ...network, source } } };
}

it('is fetched where nobody is enrolled, and the start says so', async () => {
  const { decide, chosen, url, dataDir, requests } = await installation();
  expect(await chosen()).toBe('builtin');
  expect(await decide()).toEqual({
    installed: true,
    line: `The model pack plus was fetched: 0.0 MB, Apache-2.0, from ${new URL(url).host}. Faces are compared with the model pack plus from the first person on.`,
  });
  expect(await chosen()).toBe('plus');
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  expect(await decide()).toBeNull();
  expect([await chosen(), requests()]).toEqual(['plus', 1]);
});

it('does not come from a server that is slow or sends other bytes; a later start takes it', async () => {
  let answer = (_: ServerResponse) => {};
  const { decide, chosen } = await installation((response) => answer(response));
  const slow = await decide({ ...bounds, idleMs: 300 });
  expect(slow).toMatchObject({
    installed: false,
    line: expect.stringMatching(/^The model pack plus was not fetched: .* no byte came for 0\.3 seconds/),
  });
  answer = (response) => void response.end(Buffer.alloc(5000));
  expect(await decide()).toMatchObject({
    installed: false,
    line: expect.stringMatching(/thrown away\. The next/),
  });
  expect(await chosen()).toBe('builtin');
  answer = (response) => void response.end(bytes);
  expect(await decide()).toMatchObject({ installed: true });
  expect(await chosen()).toBe('plus');
});

it('is not asked for where nothing may be fetched; an installed one is taken', async () => {
  const { config, decide, chosen, definition, dataDir, requests } = await installation(undefined, {
    WAJAH_PAD_PACK: 'off',
  });
  expect(await decide()).toBeNull();
  expect([await chosen(), existsSync(dataDir)]).toEqual(['builtin', false]);
  await installPack(definition, config.packs.folder);
  // As `wajah doctor` says before the first start of a release, which brings it.
  expect(await packOfNextStart(config)).toEqual({ id: 'plus', others: [] });
  expect(await decide()).toMatchObject({
    installed: true,
    line: expect.stringMatching(/^Faces are compared/),
  });
  expect([await chosen(), requests()]).toEqual(['plus', 1]);
});

it('does not replace what the operator has chosen', async () => {
  const { config, decide, chosen, requests } = await installation();
  await storeName(choiceFile(config.packs.folder), 'builtin');
  expect([await decide(), await chosen()]).toEqual([null, 'builtin']);
  const set = await installation(undefined, { WAJAH_PACK: 'opencv-zoo' });
  expect([await set.decide(), await set.chosen()]).toEqual([null, 'opencv-zoo']);
  expect([requests(), set.requests()]).toEqual([0, 0]);
});

describe.each(storeKinds)('people in %s', (kind) => {
  /** An installation with a person of each pack. */
  async function withPeople(packs: string[], answer?: (response: ServerResponse) => void) {
    const shared = { WAJAH_SECRET_KEY: '06'.repeat(32) };
    const env = kind === 'PostgreSQL' ? { ...shared, WAJAH_DATABASE_URL: await newDatabase() } : {};
    const found = await installation(answer, env);
    const { database, dataDir } = found.config;
    await storeName(join(dataDir, 'x'), 'x');
    const store = database
      ? await openDatabaseStore(database.url)
      : openSqliteStore(join(dataDir, 'wajah.db'));
    for (const [i, pack] of packs.entries()) {
      const { id } = await newGallery(store, `client${i}`);
      await store.faces.put(id, { ...face('u'), embeddingSpec: JSON.stringify({ pack }) }, false);
    }
    return { ...found, store };
  }

  it('keep the built-in pack, also where the other one is installed since', async () => {
    const { config, definition, decide, chosen, requests, store } = await withPeople(['builtin', 'plus']);
    await installPack(definition, config.packs.folder);
    const next = () => packOfNextStart(config);
    expect(await next()).toEqual({ id: 'builtin', others: ['plus'] });
    expect([await decide(), await chosen(), requests()]).toEqual([null, 'builtin', 1]);
    const galleries = await store.galleries.list('client0');
    await store.faces.remove(galleries[0]!.id, 'u');
    expect(await next()).toEqual({ id: 'plus', others: [] });
    expect([await decide(), await chosen()]).toEqual([null, 'plus']);
    await store.close();
  });

  it('keep the pack that they are enrolled with where it has to be fetched, or cannot be', async () => {
    let answer = (response: ServerResponse) => void response.writeHead(404).end();
    const { decide, chosen, store, requests } = await withPeople(['plus'], (response) => answer(response));
    expect(await decide()).toMatchObject({ installed: false });
    expect([await chosen(), requests()]).toEqual(['plus', 1]);
    answer = (response) => void response.end(bytes);
    expect(await decide()).toMatchObject({ installed: true, line: expect.stringMatching(/^The .*127.*\.$/) });
    expect([await chosen(), requests()]).toEqual(['plus', 2]);
    await store.close();
  });
});
