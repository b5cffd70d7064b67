import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedEngine } from '../../packages/engine/test/support/shared-engine.ts';
import { createTemplateVault } from '../../packages/server/src/security/vaults/template-vault.ts';
import { embeddingSpecText } from '../../packages/server/src/services/galleries/embedding-spec.ts';
import { openSqliteStore } from '../../packages/server/src/store/sqlite-store.ts';
import type { Store } from '../../packages/server/src/store/store.ts';
import {
  enrolFormer,
  formerSpec,
  formerTemplate,
} from '../../packages/server/test/support/former-templates.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { picture, post } from '../support/enrolling.ts';
import { type Settings, serve, wajah } from '../support/program.ts';

const key = randomBytes(32);
const vault = createTemplateVault(key);
const secret: string[] = [];
const installation = () => ({ WAJAH_DATA_DIR: temporaryDirectory(), WAJAH_SECRET_KEY: key.toString('hex') });

async function withStore<T>(settings: Settings, work: (store: Store) => Promise<T>): Promise<T> {
  const store = openSqliteStore(join(settings['WAJAH_DATA_DIR'] ?? '', 'wajah.db'));
  return work(store).finally(() => store.close());
}

const galleryOf = (settings: Settings, clientId: string) =>
  withStore(settings, async (store) => (await store.galleries.get(clientId, `${clientId}@trial`))!);

async function succeed(settings: Settings, ...args: string[]): Promise<string> {
  const { code, out, err } = await wajah(settings, ...args);
  expect(code, `${args.join(' ')}: ${err}`).toBe(0);
  return out;
}

/** Starts a server and verifies two people, with one token. */
async function expectFound(settings: Settings, clientId: string, isFormer = true): Promise<void> {
  const token = (await succeed(settings, 'token', 'create', clientId)).trim();
  const server = await serve(settings);
  for (const person of ['ani', 'budi'] as const) {
    const fields = { facegallery_id: `${clientId}@trial`, user_id: person };
    const body = { ...fields, image: await picture(person, true) };
    expect(await post(server.url, token, 'facegallery/verify-face', body)).toMatchObject({ verified: true });
  }
  await server.stop('SIGTERM');
  if (isFormer) {
    expect(server.out).toMatch(/converting the templates of 1 gallery with 2 faces from builtin 3/);
    expect(server.out).toMatch(/calibration of the server was fitted to the model pack builtin 3 and/);
  }
  expect(server.out).not.toMatch(/calls on them are refused/);
  const spec = embeddingSpecText((await sharedEngine()).embeddingSpec);
  expect(await galleryOf(settings, clientId)).toMatchObject({ embeddingSpec: spec, faces: 2 });
}

describe('an installation of version 3 of the built-in pack', () => {
  const settings = installation();

  beforeAll(async () => {
    const file = join(temporaryDirectory(), 'passphrase');
    writeFileSync(file, 'correct horse battery\n', { mode: 0o600 });
    secret.push('--passphrase-file', file);
    await succeed(settings, 'client', 'create', 'acme');
    const engine = await sharedEngine();
    await withStore(settings, async (store) => {
      // It calls nobody alike.
      const knots = [
        [0.99, 0],
        [1, -0.1],
      ];
      const curve = { pack: 'builtin', evidence: {}, knots };
      await store.meta.set('calibration', JSON.stringify({ contract: JSON.parse(formerSpec), curve }));
      for (const person of ['ani', 'budi'] as const) {
        const template = await formerTemplate(engine, Buffer.from(await picture(person), 'base64'));
        const gallery = { clientId: 'acme', galleryId: 'acme@trial' };
        await enrolFormer({ store, vault }, gallery, person, [template]);
      }
    });
  });

  it('is backed up, restored and started', async () => {
    const file = join(temporaryDirectory(), 'backup');
    await succeed(settings, 'backup', file, ...secret);
    const restored = installation();
    await succeed(restored, 'restore', file, ...secret);
    expect((await galleryOf(restored, 'acme')).embeddingSpec).toBe(formerSpec);
    await expectFound(restored, 'acme');
  });

  it('is prepared by reembed without face crops, which leaves nobody out', async () => {
    const out = await succeed(settings, 'reembed', '--to', 'builtin', '--leave-out');
    expect(out).toMatch(/acme +acme@trial +2 +0 +ready/);
    expect((await succeed(settings, 'doctor')).toLowerCase()).not.toContain('calls on them are refused');
    await expectFound(settings, 'acme');
  });
});
