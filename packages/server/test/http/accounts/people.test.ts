import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '@wajah/contract';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { drawnFace } from '../../../../engine/test/drawn/drawn-face.ts';
import { leaveEvent, leaveSession } from '../../support/judged-session.ts';
import { startOnStore } from '../../support/on-store.ts';
import { storeKinds } from '../../support/postgres.ts';
import { base64 } from '../../support/requests.ts';
import { runWajah } from '../../support/run-wajah.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import type { TestApp, TestClient } from '../../support/test-app.ts';

const pictures = { ani: '', budi: '' };
for (const person of ['ani', 'budi'] as const) pictures[person] = await base64(drawnFace({ person }));

const dayMs = 24 * 60 * 60 * 1000;
describe.each(storeKinds)('people, with %s', (kind) => {
  let env: Record<string, string>;
  let server: TestApp;
  let client: TestClient;

  beforeAll(async () => {
    ({ server, env } = await startOnStore(kind, { WAJAH_KEEP_FACE_CROPS: 'true' }));
  });
  beforeEach(async () => {
    client = await server.client();
  });

  const ani = () => ({ user_id: 'ani', facegallery_id: client.gallery });
  const enrol = (fields: object = {}) => client.enrol('ani', pictures.ani, { user_name: 'Ani', ...fields });
  const describeAni = async () => (await client.call(endpoints.describeFace, ani())).body;
  const identify = async () =>
    (await client.call(endpoints.identifyFace, { facegallery_id: client.gallery, image: pictures.ani })).body;

  const wajah = (...args: string[]) => runWajah(env, ...args);

  it('are enrolled with a consent where the gallery requires one, which a later call replaces or keeps', async () => {
    const rules = { facegallery_id: client.gallery, require_consent: true, retention_days: 400 };
    expect((await client.call(endpoints.updateGallery, rules)).body).toMatchObject(rules);
    expect((await enrol()).body).toMatchObject({
      status: '423',
      detail: expect.stringMatching(/^consent_ref/),
    });
    const fields = { consent_reference: 'form 12', consent_purpose: 'entry', retention_days: 30 };
    expect((await enrol({ ...fields, consent_given_at: '2026-01-31T08:00:00+07:00' })).http).toBe(200);
    const known = await describeAni();
    const given_at = '2026-01-31T01:00:00.000Z';
    expect(known).toMatchObject({
      consent: { reference: 'form 12', purpose: 'entry', given_at, until: null },
      suspended_at: null,
    });
    const days = (Date.parse(known.expires_at) - Date.now()) / dayMs;
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThan(30.1);
    await enrol({ append: true });
    expect(await describeAni()).toMatchObject({ consent: known.consent, expires_at: known.expires_at });
    await enrol({ replace: true, consent_reference: 'form 13' });
    expect((await describeAni()).consent).toMatchObject({ reference: 'form 13', purpose: null });
    const listed = await client.call(endpoints.listFaces, { facegallery_id: client.gallery, details: true });
    expect(listed.body.faces).toMatchObject([{ consent: { reference: 'form 13' }, suspended_at: null }]);
    const plain = await client.call(endpoints.listFaces, { facegallery_id: client.gallery });
    expect(plain.body.faces).toEqual([{ user_id: 'ani', user_name: 'Ani' }]);
  });

  it('have no half consent, no consent that has ended, and none of the future', async () => {
    const refused = async (fields: object) => (await enrol(fields)).body;
    const malformed = (detail: RegExp) => ({ status: '400', detail: expect.stringMatching(detail) });
    expect(await refused({ consent_purpose: 'entry' })).toMatchObject(
      malformed(/^consent_reference: .*consent_purpose/),
    );
    const consent_reference = 'form 12';
    expect(await refused({ consent_reference, consent_until: '2020-01-01T00:00:00Z' })).toMatchObject(
      malformed(/^consent_until: .* passed/),
    );
    expect(await refused({ consent_reference, consent_given_at: '2999-01-01T00:00:00Z' })).toMatchObject(
      malformed(/^consent_given_at: .* future/),
    );
    expect((await client.call(endpoints.updatePerson, ani())).body).toMatchObject({ status: '400' });
    expect((await client.call(endpoints.describeFace, ani())).http).toBe(404);
  });

  it('who are suspended are kept and not matched, until they are resumed', async () => {
    await enrol();
    expect((await identify()).return[0].user_id).toBe('ani');
    const done = { facegallery_ids: [client.gallery] };
    expect((await client.call(endpoints.suspendPerson, ani())).body).toMatchObject(done);
    expect(await identify()).toMatchObject({ status: '411' });
    const verified = await client.call(endpoints.verifyFace, { ...ani(), image: pictures.ani });
    expect(verified).toMatchObject({ http: 403, body: { status: '424' } });
    expect(verified.body.detail).toMatch(/^user_id: .*suspended since .*resume-person/);
    const proof = { ...ani(), image: pictures.ani, face_parameters: { angle: 'face front' } };
    expect((await client.call(endpoints.verifyLiveness, proof)).body).toMatchObject({ status: '424' });
    expect((await client.call(endpoints.createLivenessSession, ani())).body).toMatchObject({ status: '424' });
    for (const way of [{}, { append: true }, { replace: true }])
      expect((await enrol(way)).body).toMatchObject({ status: '424' });
    const again = await enrol({ user_id: 'twin', check_duplicate: true });
    const alike = { error: 'faceSuspended', duplicate_user_id: 'ani', similarity: 1 };
    expect(again).toMatchObject({ http: 409, body: { status: '409', ...alike } });
    expect((await enrol({ user_id: 'twin' })).http).toBe(200);
    const duplicates = await client.call(endpoints.findDuplicates, { facegallery_id: client.gallery });
    const users = [
      { user_id: 'twin', suspended_at: null },
      { user_id: 'ani', suspended_at: expect.stringMatching(/^20/) },
    ];
    expect(duplicates.body).toMatchObject({ pairs: [{ users, similarity: 1 }], people: 2 });
    await client.call(endpoints.updateFace, { ...ani(), user_name: 'Ani Lestari' });
    expect((await identify()).return.map((one: { user_id: string }) => one.user_id)).toEqual(['twin']);
    expect((await describeAni()).suspended_at).toMatch(/^20/);
    await client.call(endpoints.deleteFace, { ...ani(), user_id: 'twin' });
    expect((await client.call(endpoints.resumePerson, { user_id: 'ani' })).body).toMatchObject(done);
    expect((await identify()).return[0]).toMatchObject({ user_id: 'ani', user_name: 'Ani Lestari' });
    expect((await client.call(endpoints.suspendPerson, { user_id: 'nobody' })).body.status).toBe('415');
    const nowhere = { ...ani(), facegallery_id: 'nowhere' };
    expect((await client.call(endpoints.resumePerson, nowhere)).body.status).toBe('416');
  });

  /** Enrols ani in two galleries, marked as another person than budi, and leaves a refused call. */
  async function filled() {
    await enrol({ consent_reference: 'form 12', consent_purpose: 'entry' });
    await client.call(endpoints.createGallery, { facegallery_id: 'second' });
    await enrol({ facegallery_id: 'second' });
    await enrol({ user_id: 'budi', image: pictures.budi });
    await client.call(endpoints.markDifferent, { ...ani(), other_user_id: 'budi', different: true });
    await client.call(endpoints.verifyFace, { user_id: 'ani', facegallery_id: 'nowhere', image: 'x' });
  }

  it('are exported with all that is known, and erased with a receipt that the audit trail proves', async () => {
    await filled();
    const owner = { clientId: client.id, galleryId: client.gallery, userId: 'ani' };
    await leaveSession(server.context, owner);
    // One that names the person only as its subject.
    await client.call(endpoints.createLivenessSession, { subject: 'ani' });
    const { id: event_id } = await leaveEvent(server.context, owner);
    const { body } = await client.call(endpoints.exportPerson, { user_id: 'ani' });
    const inGallery = {
      user_name: 'Ani',
      n_picture: 1,
      pack: expect.any(String),
      crops: [{ bytes: expect.any(Number) }],
    };
    expect(body).toMatchObject({
      user_id: 'ani',
      galleries: [
        {
          facegallery_id: client.gallery,
          ...inGallery,
          consent: { reference: 'form 12' },
          different_from: ['budi'],
        },
        { facegallery_id: 'second', ...inGallery, consent: null, different_from: [] },
      ],
      liveness_sessions: [
        { facegallery_id: client.gallery, passed: false },
        { facegallery_id: null, passed: null },
      ],
      remembered_frames: 3,
      refusals: [{ status: '416', facegallery_id: 'nowhere' }],
      webhook_events: [{ event_id, type: 'face.verified', state: 'pending', event: { user_id: 'ani' } }],
    });
    expect(JSON.stringify(body)).not.toContain('template');
    const withPictures = await client.call(endpoints.exportPerson, { user_id: 'ani', pictures: true });
    const jpeg = Buffer.from(withPictures.body.galleries[0].crops[0].image, 'base64');
    expect(jpeg.subarray(0, 3).toString('hex')).toBe('ffd8ff');
    const { body: reader } = await client.call(endpoints.createApiToken, {
      name: 'reader',
      scopes: ['read'],
    });
    const pictureless = await server.call(reader.token, endpoints.exportPerson, {
      user_id: 'ani',
      pictures: true,
    });
    expect(pictureless.body).toMatchObject({ status: '403', detail: expect.stringMatching(/^pictures/) });

    const erased = await client.call(endpoints.erasePerson, { user_id: 'ani' });
    expect(erased.body).toMatchObject({
      facegallery_ids: [client.gallery, 'second'],
      liveness_sessions: 2,
      remembered_frames: 3,
      refusals: 1,
      webhook_events: 1,
    });
    for (const endpoint of [endpoints.exportPerson, endpoints.erasePerson])
      expect((await client.call(endpoint, { user_id: 'ani' })).body.status).toBe('415');
    expect(await identify()).toMatchObject({ status: '411' });
    const { number, hash } = erased.body.receipt;
    const checked = await wajah('audit', 'verify', '--receipt', `${number}:${hash}`);
    expect(checked.out).toMatch(
      new RegExp(`intact: .*\\nRecord ${number} is that of the receipt: person_erased`),
    );
    const forged = await wajah('audit', 'verify', '--receipt', `${number}:${'0'.repeat(64)}`);
    expect([forged.code, forged.notes]).toEqual([1, expect.stringMatching(/its hash is another/)]);
    expect((await wajah('audit', 'verify', '--receipt', `9999999:${hash}`)).notes).toMatch(/expired/);
  });

  it('whose time ends are listed before, and erased after it with a record', async () => {
    await enrol({ retention_days: 5 });
    const soon = new Date(Date.now() + 3 * dayMs).toISOString();
    await enrol({ user_id: 'budi', image: pictures.budi, consent_reference: 'form 14', consent_until: soon });
    const expiring = async (fields: object) => (await client.call(endpoints.listExpiring, fields)).body;
    const first = await expiring({ days: 10, limit: 1 });
    expect(first.people).toMatchObject([
      { user_id: 'budi', facegallery_id: client.gallery, expires_at: soon },
    ]);
    expect((await expiring({ days: 10, cursor: first.next_cursor })).people).toMatchObject([
      { user_id: 'ani' },
    ]);
    expect(await expiring({ days: 1 })).toMatchObject({ people: [] });
    expect(await expiring({ cursor: 'x' })).toMatchObject({ status: '400' });
    expect(await expiring({ facegallery_id: 'nowhere' })).toMatchObject({ status: '416' });
    const listed = await wajah('person', 'expiring', '--client', client.id, '--days', '4');
    expect(listed.out).toMatch(new RegExp(`expires_at .*\\n.* budi .* ${soon.slice(0, 19)}Z +${client.id}`));

    await identify();
    /** @returns how many of this client were erased */
    const sweep = async (days: number) => {
      const { eraser, store } = server.context;
      const of = { clientId: client.id, event: 'person_expired', limit: 99 };
      const { length: before } = await store.audit.list(of);
      await eraser.eraseExpired(new Date(Date.now() + days * dayMs));
      return (await store.audit.list(of)).length - before;
    };
    expect([await sweep(2), await sweep(4), await sweep(4)]).toEqual([0, 1, 0]);
    await client.call(endpoints.updatePerson, { ...ani(), retention_days: null });
    expect(await sweep(1000)).toBe(0);
    expect((await identify()).return[0].user_id).toBe('ani');
    await client.call(endpoints.updateGallery, { facegallery_id: client.gallery, retention_days: 7 });
    expect([await sweep(6), await sweep(8)]).toEqual([0, 1]);
    expect(await identify()).toMatchObject({ status: '411' });
    expect((await client.call(endpoints.exportPerson, { user_id: 'ani' })).http).toBe(404);
  });

  it('are administered by commands', async () => {
    // In one month, which ends at no moment of the test.
    const today = new Date();
    vi.useFakeTimers({
      toFake: ['Date'],
      now: Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 15),
    });
    onTestFinished(() => void vi.useRealTimers());
    client = await server.client();
    await filled();
    const { id, gallery } = client;
    await wajah('gallery', 'set-consent', id, gallery, 'required');
    expect((await wajah('gallery', 'set-retention', id, gallery, '90')).notes).toMatch(/pass --yes/);
    expect((await wajah('gallery', 'set-retention', id, gallery, '90', '--yes')).out).toMatch(
      /^retention_days: 90$/m,
    );
    expect((await wajah('gallery', 'list', id)).out).toMatch(/ no +yes +90 /);
    const update = ['person', 'update', id, gallery, 'ani'];
    expect((await wajah(...update)).notes).toMatch(/^wajah: --consent: found nothing, nor --retention-days/);
    const updated = await wajah(...update, '--consent', 'form 15', '--retention-days', '9');
    expect(updated.out).toMatch(/^user_id: ani$[\s\S]* {2}reference: form 15\n[\s\S]*^expires_at: 20/m);
    expect((await wajah('person', 'suspend', id, 'ani')).out).toBe(
      `client_id: ${id}\nuser_id: ani\nfacegallery_ids: ${gallery}, second`,
    );
    expect((await identify()).return).toEqual([]);
    await wajah('person', 'resume', id, 'ani', '--gallery', gallery);
    expect((await identify()).return[0].user_id).toBe('ani');

    const shown = await wajah('person', 'export', id, 'ani');
    expect(shown.out).toMatch(
      /reference: form 15[\s\S]*suspended_at: none[\s\S]*facegallery_id: second[\s\S]*suspended_at: 20/,
    );
    const file = join(temporaryDirectory(), 'ani.json');
    await wajah('person', 'export', id, 'ani', '--pictures', '--out', file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      user_id: 'ani',
      galleries: [{ consent: { reference: 'form 15' }, crops: [{ image: expect.any(String) }] }, {}],
    });
    vi.setSystemTime(Date.now() + 1000);
    const records = await wajah('records-of-processing', '--client', id);
    expect(records.out).toMatch(/people: 2\n[\s\S]*purpose: none\n[\s\S]*retention_days: 90/);
    const [own] = JSON.parse((await wajah('records-of-processing', '--json', '--client', id)).out);
    const month = new Date().toISOString().slice(0, 7);
    expect(own.galleries[0].counts).toContainEqual({ month, event: 'face_enrolled', count: 2 });
    const { body } = await client.call(endpoints.getProcessingRecords);
    expect(body).toMatchObject({ client_id: id, galleries: [{ people: 2, without_consent: 1 }, {}] });
    expect(body.other_counts).toContainEqual({ month, event: 'client_registered', count: 1 });

    expect((await wajah('person', 'erase', id, 'ani')).notes).toMatch(/pass --yes/);
    const erased = await wajah('person', 'erase', id, 'ani', '--yes');
    expect(erased.out).toMatch(
      /user_id: ani\nfacegallery_ids: .*, second\nliveness_sessions: 0\nremembered_frames: 0\nrefusals: 1\nexpected: 0\nwebhook_events: 0\nreceipt:\n {2}number: \d+\n/,
    );
    expect((await wajah('person', 'erase', id, 'ani', '--yes')).notes).toMatch(/nobody of this user_id/);
    expect(await identify()).toMatchObject({ status: '411' });
  });
});
