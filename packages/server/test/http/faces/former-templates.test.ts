import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Endpoint, endpoints } from '@wajah/contract';
import { innerProduct } from '@wajah/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DrawnFaceOptions, drawnFace } from '../../../../engine/test/drawn/drawn-face.ts';
import { sharedEngine } from '../../../../engine/test/support/shared-engine.ts';
import { createTemplateVault } from '../../../src/security/vaults/template-vault.ts';
import { embeddingSpecText } from '../../../src/services/galleries/embedding-spec.ts';
import { openPostgresStore } from '../../../src/store/postgres-store.ts';
import { openSqliteStore } from '../../../src/store/sqlite-store.ts';
import type { Store } from '../../../src/store/store.ts';

import { enrolFormer, formerSpec, formerTemplate, kept } from '../../support/former-templates.ts';
import { noPostgres, PostgresServer } from '../../support/postgres.ts';
import { releasedSettings } from '../../support/released-contents.ts';
import {
  releasedKey,
  releasedRows,
  writeReleasedDatabase,
  writeReleasedFile,
} from '../../support/released-schemas.ts';
import { type Answer, startTestApp, type TestApp } from '../../support/test-app.ts';

const vault = createTemplateVault(Buffer.from(releasedKey, 'hex'));
const postgres = noPostgres ? null : PostgresServer.start(['fsync=off']);
afterAll(async () => (await postgres)?.remove());

const staff = { clientId: 'acme', galleryId: 'acme@staff' };
const drawn = async (options: DrawnFaceOptions) => (await drawnFace(options)).toString('base64');
const again = { tilt: 6, brightness: 0.9 } as const;

/** A calibration that was fitted to templates of version 3, and calls nobody alike. */
const formerCurve = JSON.stringify({
  contract: JSON.parse(formerSpec),
  curve: {
    pack: 'builtin',
    evidence: {},
    knots: [
      [0.99, 0],
      [1, -0.1],
    ],
  },
});

/** A store that a server has left. */
async function makeRows(kind: 'SQLite' | 'PostgreSQL', directory: string) {
  if (kind === 'SQLite') {
    const file = join(directory, 'wajah.db');
    const rows = releasedRows('sqlite').at(-1)!;
    writeReleasedFile(file, rows);
    return { token: rows.token, open: async () => openSqliteStore(file), env: {} };
  }
  const url = await (await postgres!).database();
  const rows = releasedRows('postgres').at(-1)!;
  await writeReleasedDatabase(url, rows);
  return {
    token: rows.token,
    open: () => openPostgresStore({ url }),
    env: { WAJAH_DATABASE_URL: url },
  };
}

describe.each(['SQLite', 'PostgreSQL'] as const)('templates of version 3, with %s', (kind) => {
  if (kind === 'PostgreSQL' && noPostgres) return;
  const directory = mkdtempSync(join(tmpdir(), 'wajah-test-'));
  let server: TestApp;
  let store: Store;
  let call: (endpoint: Endpoint, fields?: object) => Promise<Answer>;

  beforeAll(async () => {
    const { token, open, env } = await makeRows(kind, directory);
    const before = await open();
    const engine = await sharedEngine();
    const { id } = (await before.galleries.get(staff.clientId, staff.galleryId))!;
    for (const userId of ['3174001', '3174002']) await before.faces.remove(id, userId);
    for (const [userId, person] of [
      ['3174001', 'ani'],
      ['3174002', 'budi'],
    ] as const) {
      const template = await formerTemplate(engine, await drawnFace({ person, width: 240, height: 300 }));
      await enrolFormer({ store: before, vault }, staff, userId, [template]);
    }
    const citra = await drawnFace({ person: 'citra' });
    const pictures = [citra, await drawnFace({ person: 'citra', brightness: 0.8 })];
    const templates = await Promise.all(pictures.map((picture) => formerTemplate(engine, picture)));
    await enrolFormer({ store: before, vault }, staff, 'citra', templates);
    const darma = await formerTemplate(engine, await drawnFace({ person: 'darma' }));
    await enrolFormer({ store: before, vault }, staff, 'darma', [darma]);
    await before.galleries.updateSettings(staff.clientId, staff.galleryId, { curve: formerCurve });
    await before.meta.set('calibration', formerCurve);
    await before.close();
    server = await startTestApp(
      { ...releasedSettings, WAJAH_LOG_LEVEL: 'info', ...env },
      { engine, directory },
    );
    ({ store } = server.context);
    call = (endpoint, fields = {}) =>
      server.call(token, endpoint, { facegallery_id: staff.galleryId, ...fields });
    if (kind === 'PostgreSQL') await expectPrepared(darma);
  });
  afterAll(async () => {
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const gallery = async () => (await store.galleries.get(staff.clientId, staff.galleryId))!;
  const templatesOf = async (userId: string) => {
    const now = await gallery();
    const face = (await store.faces.get(now.id, userId))!;
    expect(face.embeddingSpec).toBe(present());
    return vault.gallery(now).openAll(userId, face.template);
  };
  const present = () => embeddingSpecText(server.context.engine.embeddingSpec);
  const verify = async (user_id: string, image: string) =>
    (await call(endpoints.verifyFace, { user_id, image })).body;

  /** Other servers still compare templates of version 3, and write and erase them. */
  async function expectPrepared(template: Float32Array): Promise<void> {
    const { id, embeddingSpec } = await gallery();
    expect(embeddingSpec).toBe(formerSpec);
    expect(await store.templateMigration.countPending(id, present())).toBe(0);
    await enrolFormer({ store, vault }, staff, 'late', [template]);
    await enrolFormer({ store, vault }, staff, 'gone', [template]);
    await store.faces.remove(id, 'gone');
    expect(await store.templateMigration.countPending(id, present())).toBe(1);
    const { facegalleries } = (await call(endpoints.describeGalleries)).body;
    expect(facegalleries).toContainEqual(
      expect.objectContaining({ facegallery_id: staff.galleryId, comparable: true }),
    );
  }

  it('are converted without a call being refused', async () => {
    const image = await drawn({ person: 'ani', ...again });
    const answers = await Promise.all(Array.from({ length: 4 }, () => verify('3174001', image)));
    for (const answer of answers) expect(answer).toMatchObject({ status: '200', verified: true });
    expect(await gallery()).toMatchObject({
      ...{ embeddingSpec: present(), migrating: false },
      migrated: { from: formerSpec },
    });
    expect(server.log()).toMatch(/converting the templates of 1 gallery with 4 faces from builtin 3/);
    expect(server.log()).not.toMatch(/calls on them are refused/);
    expect(server.log()).toMatch(/calibration of the server was fitted to the model pack builtin 3 and/);
    expect(server.log()).toMatch(/calibrate --gallery acme.acme@staff --install acme.acme@staff/);
    const people = await store.faces.list((await gallery()).id);
    const late = kind === 'PostgreSQL' ? ['late'] : [];
    expect(people.map(({ userId }) => userId)).toEqual(['3174001', '3174002', 'citra', 'darma', ...late]);
    for (const { userId } of people) {
      for (const template of await templatesOf(userId)) {
        expect(template).toHaveLength(server.context.engine.embeddingSpec.dimensions);
        expect(Math.hypot(...template)).toBeCloseTo(1, 5);
        expect(template.subarray(kept).every((value) => value === 0)).toBe(true);
      }
    }
    expect(await templatesOf('citra')).toHaveLength(2);
  });

  it('have the values of the embedder that the present version computes', async () => {
    const picture = await drawnFace({ person: 'ani', width: 240, height: 300 });
    const now = await formerTemplate(await sharedEngine(), picture);
    const [converted] = await templatesOf('3174001');
    expect(innerProduct(converted!.subarray(0, kept), now.subarray(0, kept))).toBeGreaterThan(
      0.99 * Math.sqrt(6 / 7),
    );
  });

  it('tell people apart, one against one and in a search', async () => {
    const ani = await drawn({ person: 'ani', ...again });
    const citra = await drawn({ person: 'citra', ...again });
    expect(await verify('3174001', citra)).toMatchObject({ status: '200', verified: false });
    expect(await verify('citra', citra)).toMatchObject({ status: '200', verified: true });
    expect((await call(endpoints.identifyFace, { image: ani })).body).toMatchObject({
      return: [{ user_id: '3174001' }],
    });
    expect((await call(endpoints.identifyFace, { image: citra })).body).toMatchObject({
      return: [{ user_id: 'citra' }],
    });
  });

  it('stay beside those of people who are enrolled now, and leave with their person', async () => {
    const image = await drawn({ person: 'eka' });
    const eka = { user_id: 'eka', user_name: 'Eka', image };
    expect((await call(endpoints.enrolFace, eka)).body).toMatchObject({ status: '200' });
    const darma = { user_id: 'darma', user_name: 'Darma', image: await drawn({ person: 'darma', ...again }) };
    const append = { append: true, force_register: true };
    expect((await call(endpoints.enrolFace, { ...darma, ...append })).body).toMatchObject({ status: '200' });
    const [converted, made] = await templatesOf('darma');
    expect(converted!.subarray(kept).every((value) => value === 0)).toBe(true);
    expect(made!.subarray(kept).some((value) => value !== 0)).toBe(true);
    for (const user_id of ['eka', 'darma']) {
      expect(await verify(user_id, await drawn({ person: user_id as 'eka', ...again }))).toMatchObject({
        verified: true,
      });
    }
    const same = { user_id: 'eka-2', user_name: 'E', image: await drawn({ person: 'citra', ...again }) };
    expect((await call(endpoints.enrolFace, { ...same, check_duplicate: true })).body).toMatchObject({
      ...{ status: '409', duplicate_user_id: 'citra' },
    });
    expect((await call(endpoints.findDuplicates)).body).toMatchObject({ status: '200' });
    const renamed = { user_id: 'citra', user_name: 'Citra Dewi' };
    expect((await call(endpoints.updateFace, renamed)).body).toMatchObject({ status: '200' });
    expect((await call(endpoints.exportPerson, { user_id: 'citra' })).body).toMatchObject({ status: '200' });
    expect((await call(endpoints.deleteFace, { user_id: 'citra' })).body).toMatchObject({ status: '200' });
    expect(await verify('citra', image)).toMatchObject({ status: '415' });
  });
});
