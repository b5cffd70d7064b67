// Rows that were damaged or moved in the database: one must not stop the others.
import { join } from 'node:path';
import { endpoints, operatorEndpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { drawnFace } from '../../../../engine/test/drawn/drawn-face.ts';
import { SqliteDatabase } from '../../../src/store/database/sqlite.ts';
import { base64 } from '../../support/requests.ts';
import { drawPictures, startTestApp, type TestClient } from '../../support/test-app.ts';

const [server, pictures, citra] = await Promise.all([
  startTestApp({ WAJAH_KEEP_FACE_CROPS: 'true' }),
  drawPictures(),
  base64(drawnFace({ person: 'citra' })),
]);

/** As somebody does who has the file and no key, or a bad disk. */
async function change(sql: string): Promise<void> {
  const intruder = new SqliteDatabase(join(server.directory, 'wajah.db'));
  intruder.script(sql);
  intruder.close();
}

const flip = (column: string) =>
  `${column} = CAST(substr(${column}, 1, 40) || x'00ff' || substr(${column}, 43) AS BLOB)`;

async function galleryOf({ id, gallery }: TestClient) {
  return (await server.context.store.galleries.get(id, gallery))!;
}

/** A client with two people, one of whom is damaged by a change of its row. */
async function damaged(set = flip('template')) {
  const client = await server.client();
  await client.enrol('ani', pictures.ani);
  await client.enrol('budi', pictures.budi);
  const { id } = await galleryOf(client);
  await change(`UPDATE faces SET ${set} WHERE gallery = ${id} AND user_id = 'budi'`);
  // As a restart does.
  server.context.matcher.evict(id);
  const call = async (endpoint: Parameters<TestClient['call']>[0], fields: object) =>
    (await client.call(endpoint, { facegallery_id: client.gallery, ...fields })).body;
  const identify = (image: string) => call(endpoints.identifyFace, { image });
  const verify = (user_id: string, image: string) => call(endpoints.verifyFace, { user_id, image });
  return { client, id, call, identify, verify };
}

describe('a template that does not open', () => {
  it.each([
    ['was damaged', flip('template')],
    ['was cut', 'template = substr(template, 1, 20)'],
    [
      'is of another row',
      "template = (SELECT f.template FROM faces f WHERE f.gallery = faces.gallery AND f.user_id = 'ani')",
    ],
  ])('because it %s is left out: everybody else is found, verified, listed and enrolled', async (_, set) => {
    const { client, id, call, identify, verify } = await damaged(set);
    const before = server.log().split('a stored template does not open').length;
    expect(await identify(pictures.aniAgain)).toMatchObject({ status: '200', return: [{ user_id: 'ani' }] });
    expect(await identify(pictures.budi)).toMatchObject({ status: '411' });
    expect(await verify('ani', pictures.aniAgain)).toMatchObject({ verified: true });
    const refused = await verify('budi', pictures.budi);
    expect(refused).toMatchObject({ status: '403', error: 'storedDamaged' });
    expect((await call(endpoints.listFaces, {})).faces).toHaveLength(2);
    expect((await client.enrol('citra', citra, { check_duplicate: true })).body.status).toBe('200');
    expect((await client.enrol('eve', pictures.ani, { check_duplicate: true })).body.status).toBe('409');
    expect((await client.enrol('budi', pictures.budi, { append: true })).body.error).toBe('storedDamaged');
    expect(await call(endpoints.findDuplicates, {})).toMatchObject({ status: '200' });
    // Once, and it names nobody.
    const lines = server.log().split('a stored template does not open');
    expect(lines.length - before).toBe(1);
    expect(server.log()).toContain(`"gallery":${id},"row":2`);
    expect(server.log()).not.toContain('budi');
    // Enrolled again, all is well.
    expect((await client.enrol('budi', pictures.budi, { replace: true })).body.status).toBe('200');
    expect(await verify('budi', pictures.budi)).toMatchObject({ verified: true });
    expect(await identify(pictures.budi)).toMatchObject({ return: [{ user_id: 'budi' }] });
  });

  it('is counted, shown by /ready, found by a command, which erases it with a receipt', async () => {
    const { client, identify } = await damaged();
    await identify(pictures.ani);
    const ready = (await server.call(undefined, endpoints.ready)).body;
    expect(ready.notices.join()).toContain('stored templates did not open');
    expect(await server.context.events.registry.metrics()).toMatch(/wajah_damaged_templates_total [1-9]/);
    const place = { client_id: client.id, facegallery_id: client.gallery };
    const check = async (erase: boolean) =>
      (await server.operate(operatorEndpoints.checkGalleries, { ...place, erase })).facegalleries;
    const [found] = await check(false);
    expect(found).toMatchObject({ key_damaged: false, templates: ['budi'], erased: false });
    const [erased] = await check(true);
    const { records } = await server.operate(endpoints.getAudit, { event: 'administered', limit: 1 });
    expect(records).toMatchObject([{ number: erased.receipt.number, hash: erased.receipt.hash }]);
    expect(records[0].facts).toMatchObject({ operation: 'erase-damaged', people: 1, crops: 0 });
    expect(await check(false)).toEqual([]);
    expect(await server.context.store.faces.get((await galleryOf(client)).id, 'budi')).toBeNull();
    expect(await identify(pictures.ani)).toMatchObject({ return: [{ user_id: 'ani' }] });
  });

  it.each(['replaced', 'erased', 'deleted with its gallery'])(
    'is a finding until a check finds none, when its person is %s',
    async (way) => {
      const { client, identify, call } = await damaged();
      await identify(pictures.ani);
      const check = async (fields: object) =>
        (await server.operate(operatorEndpoints.checkGalleries, fields)).facegalleries;
      const place = { client_id: client.id, facegallery_id: client.gallery };
      // Of /ready and doctor.
      const shown = async () =>
        (await server.context.findings.forAnybody()).some(({ id }) => id === 'templates');
      expect(await check(place)).toHaveLength(1);
      expect(await shown()).toBe(true);
      if (way === 'replaced') await client.enrol('budi', pictures.budi, { replace: true });
      if (way === 'deleted with its gallery') await call(endpoints.deleteGallery, {});
      // Those of other tests, too.
      await check({ erase: true });
      expect(await check({})).toEqual([]);
      expect(await shown()).toBe(false);
      // What is damaged from then on is told again.
      const other = await damaged();
      await other.identify(pictures.ani);
      expect(await shown()).toBe(true);
      await check({ client_id: client.id });
      expect(await shown()).toBe(true);
    },
  );

  it('does not stop an export of its person, or an erasure', async () => {
    const { call } = await damaged();
    const exported = await call(endpoints.exportPerson, { user_id: 'budi', pictures: true });
    expect(exported.galleries).toHaveLength(1);
    expect(await call(endpoints.deleteFace, { user_id: 'budi' })).toMatchObject({ status: '200' });
  });
});

it('a row that cannot be read is a finding until a check finds none', async () => {
  const client = await server.client();
  await client.enrol('ani', pictures.ani);
  const { id, embeddingSpec } = await galleryOf(client);
  const shown = async () =>
    (await server.context.findings.forAnybody()).some((finding) => finding.id === 'database_rows');
  const check = async () => (await server.operate(operatorEndpoints.checkGalleries, {})).rows;
  const write = (spec: string) => change(`UPDATE galleries SET embedding_spec = '${spec}' WHERE id = ${id}`);
  await write('{}');
  await client.call(endpoints.identifyFace, { facegallery_id: client.gallery, image: pictures.ani });
  expect(await check()).toHaveLength(1);
  expect(await shown()).toBe(true);
  await write(embeddingSpec!);
  expect(await check()).toEqual([]);
  expect(await shown()).toBe(false);
});

it('a face crop that does not open is not shown, and nothing else is missing', async () => {
  const { client, id, call } = await damaged('seq = seq');
  await change(`UPDATE face_crops SET ${flip('crop')} WHERE gallery = ${id} AND user_id = 'budi'`);
  const thumbnails = await call(endpoints.getFaceThumbnails, { user_ids: ['ani', 'budi'] });
  expect(thumbnails).toMatchObject({ status: '200' });
  expect(JSON.stringify(thumbnails)).toContain('budi');
  expect((await call(endpoints.getFaceCrop, { user_id: 'budi' })).status).toBe('403');
  expect((await call(endpoints.getFacePictures, { user_id: 'budi' })).status).toBe('200');
  const exported = await call(endpoints.exportPerson, { user_id: 'budi', pictures: true });
  expect(exported.galleries).toHaveLength(1);
  const place = { client_id: client.id, facegallery_id: client.gallery };
  const checked = await server.operate(operatorEndpoints.checkGalleries, { ...place, erase: true });
  expect(checked.facegalleries).toMatchObject([{ templates: [], crops: [{ name: 'budi' }] }]);
  expect((await call(endpoints.verifyFace, { user_id: 'budi', image: pictures.budi })).verified).toBe(true);
});

it('a gallery whose key does not open is refused by name, and can be deleted', async () => {
  const { client, id, call, identify, verify } = await damaged('seq = seq');
  const other = await damaged('seq = seq');
  await change(`UPDATE gallery_keys SET ${flip('wrapped_key')} WHERE gallery = ${id}`);
  server.context.matcher.evict(id);
  for (const answer of [
    await identify(pictures.ani),
    await verify('ani', pictures.ani),
    (await client.enrol('citra', citra)).body,
    await call(endpoints.findDuplicates, {}),
  ]) {
    expect(answer).toMatchObject({ status: '403', error: 'galleryDamaged' });
  }
  expect((await call(endpoints.listFaces, {})).faces).toHaveLength(2);
  expect(await other.identify(pictures.ani)).toMatchObject({ return: [{ user_id: 'ani' }] });
  const place = { client_id: client.id, facegallery_id: client.gallery };
  const checked = await server.operate(operatorEndpoints.checkGalleries, { ...place, erase: true });
  expect(checked.facegalleries).toMatchObject([{ key_damaged: true, erased: false }]);
  expect(await call(endpoints.deleteFace, { user_id: 'budi' })).toMatchObject({ status: '200' });
  expect(await call(endpoints.deleteGallery, {})).toMatchObject({ status: '200' });
});

it('what is lost of the audit trail makes /ready 503, is counted, and heals', async () => {
  const one = await startTestApp();
  const ready = () => one.call(undefined, endpoints.ready);
  const alter = async (sql: string) => {
    const intruder = new SqliteDatabase(join(one.directory, 'wajah.db'));
    intruder.script(sql);
    intruder.close();
  };
  const client = await one.client();
  await one.context.events.settled();
  await alter('ALTER TABLE audit RENAME COLUMN digest TO digested');
  await client.enrol('ani', pictures.ani);
  await one.context.events.settled();
  expect(await ready()).toMatchObject({ http: 503, body: { checks: { store: true, audit: false } } });
  expect(await one.context.events.registry.metrics()).toMatch(/wajah_audit_records_lost_total [1-9]/);
  await alter('ALTER TABLE audit RENAME COLUMN digested TO digest');
  await expect.poll(async () => (await ready()).http).toBe(200);
  const [record] = await one.context.store.audit.list({ limit: 1 });
  expect(record).toMatchObject({ event: 'records_lost' });
});
