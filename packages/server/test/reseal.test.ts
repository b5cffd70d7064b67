// Left out of npm test, unless it is named.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sharedEngine } from '../../engine/test/support/shared-engine.ts';
import { loadConfig } from '../src/config/config.ts';
import { keyDigest, replaceKeyFile } from '../src/security/keys/master-key.ts';
import { type Core, openCore } from '../src/server/context.ts';
import { createLogger } from '../src/server/logger.ts';
import { face } from './support/store.ts';
import { temporaryDirectory } from './support/temporary.ts';

const logger = createLogger('silent');
const galleries = 40;
const template = Float32Array.of(0.25, -1);
const cohort = {
  people: 12,
  complete: true,
  product: 0.1,
  weight: 0.3,
  deviation: 0.2,
  lastKey: 7,
  mean: Float32Array.of(0.5, 0.125),
};

/** Opens the store as a command does. */
const open = (dataDir: string, env: Record<string, string> = {}) =>
  openCore(loadConfig({ WAJAH_DATA_DIR: dataDir, ...env }), logger);
/** As a server does. */
const openServer = (dataDir: string, env: Record<string, string> = {}) =>
  openCore(loadConfig({ WAJAH_DATA_DIR: dataDir, ...env }), logger, { comparer: sharedEngine });

const nameOf = (i: number) => `gallery ${i}`;

/** Makes a client with galleries of one face each. */
async function fill({ accounts, store, vault }: Core): Promise<void> {
  await accounts.create({ clientId: 'a', quota: { galleries: -1 } });
  for (let i = 0; i < galleries; i++) {
    const record = await store.galleries.create('a', nameOf(i), (id) => vault.wrapNewKey('a', id));
    if (typeof record === 'string') throw new Error(record);
    const sealed = vault.gallery(record).seal('u', template);
    await store.faces.enrol(record.id, { ...face('u'), template: sealed }, false);
    const statistics = vault.gallery(record).sealCohort('c', cohort);
    await store.galleries.storeCohort(record.id, { version: 1, people: 12, sealed: statistics });
  }
}

async function expectReadable({ store, vault }: Core): Promise<void> {
  for (let i = 0; i < galleries; i++) {
    const record = (await store.galleries.get('a', nameOf(i)))!;
    const [stored] = (await store.faces.slice(record.id, 0, 1))!.faces;
    expect(vault.gallery(record).open('u', stored!.template)).toEqual(template);
    expect(vault.gallery(record).openCohort('c', record.cohort!.sealed)).toEqual(cohort);
  }
}

const isDone = async ({ store }: Core, key: Buffer) =>
  (await store.meta.get('master_key_check')) === keyDigest(key);

it('the master key of the data directory is replaced while the store is open, also after interruptions', async () => {
  const dataDir = temporaryDirectory();
  let core = await open(dataDir);
  await fill(core);
  const former = replaceKeyFile(dataDir);
  expect(() => replaceKeyFile(dataDir)).toThrow('is being replaced');
  // The running server keeps its key.
  await expectReadable(core);
  await core.close();

  const key = Buffer.from(readFileSync(join(dataDir, 'secret.key'), 'utf8').trim(), 'hex');
  core = await openServer(dataDir);
  await core.close();
  core = await openServer(dataDir);
  expect(await isDone(core, key)).toBe(false);
  await expectReadable(core);
  await expect.poll(() => isDone(core, key)).toBe(true);
  await expectReadable(core);
  await core.close();

  rmSync(former);
  core = await open(dataDir);
  await expectReadable(core);
  await core.close();
});

it('the configured master key is replaced; without the former one the start is refused before that is done', async () => {
  const dataDir = temporaryDirectory();
  const [former, key] = [randomBytes(32), randomBytes(32)];
  let core = await open(dataDir, { WAJAH_SECRET_KEY: former.toString('hex') });
  await fill(core);
  await core.close();
  const next = { WAJAH_SECRET_KEY: key.toString('hex') };
  await expect(open(dataDir, next)).rejects.toThrow('is not the key that these data were sealed under');
  core = await openServer(dataDir, { ...next, WAJAH_SECRET_KEY_FORMER: former.toString('hex') });
  await expect.poll(() => isDone(core, key)).toBe(true);
  await core.close();
  core = await open(dataDir, next);
  await expectReadable(core);
  await core.close();
  expect(existsSync(join(dataDir, 'secret.key'))).toBe(false);
  await expect(open(dataDir, { WAJAH_SECRET_KEY: former.toString('hex') })).rejects.toThrow('is not the key');
});
