import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/support/temporary.ts';
import { drawPictures, startTestApp } from '../../../test/support/test-app.ts';
import { checkTrail, checkTrailFile, exportTrail } from './trail.ts';

const secretKey = Buffer.alloc(32, 5);
const [server, pictures] = await Promise.all([
  startTestApp({ WAJAH_SECRET_KEY: secretKey.toString('hex') }),
  drawPictures(),
]);

const list = async (fields: object = {}) => (await server.operate(endpoints.getAudit, fields)).records;

const sources = { dataDir: '', secretKey, secretKeySource: '' };

describe('an erasure', () => {
  it('of a face, a gallery and a client answers a receipt of its record', async () => {
    const client = await server.client();
    await client.enrol('ani', pictures.ani);
    const fields = { facegallery_id: client.gallery, trx_id: 't-erase' };
    const answers = [
      await client.call(endpoints.deleteFace, { ...fields, user_id: 'ani' }),
      await client.call(endpoints.deleteGallery, fields),
      await client.call(endpoints.deleteClient, { trx_id: 't-erase' }),
    ];
    const records = await list();
    for (const [i, event] of ['face_removed', 'gallery_removed', 'client_erased'].entries()) {
      const { number, hash, at } = answers[i]!.body.receipt;
      expect(records).toContainEqual(expect.objectContaining({ number, hash, time: at, event }));
    }
    expect(JSON.stringify(records)).not.toContain(client.id);
    expect(JSON.stringify(records)).not.toContain('t-erase');
  });

  it('of a client by the operator is recorded without its name', async () => {
    const { id } = await server.client();
    const { receipt } = await server.operate(endpoints.eraseClient, { client_id: id });
    const [record] = await list({ event: 'administered', limit: 1 });
    expect(record).toMatchObject({ number: receipt?.number, hash: receipt?.hash, client_id: null });
    expect(record?.facts).toEqual({ operation: 'delete-client', galleries: 1, faces: 0 });
  });
});

describe('the audit trail', () => {
  it('has the acts of the operator, without secrets', async () => {
    const { id, gallery } = await server.client();
    const made = { name: 'door', scopes: ['read'] };
    const { token, token_id } = await server.operate(endpoints.createApiToken, made, id);
    await server.operate(endpoints.revokeApiToken, { token_id: token });
    await server.operate(endpoints.updateGallery, { facegallery_id: gallery, threshold: 0.7 }, id);
    await server.operate(endpoints.setClientQuota, { client_id: id, n_api_hits: 7 });
    const records = await list({ limit: 4 });
    const facts = records.map((one: { client_id: string; facts: object }) => [one.client_id, one.facts]);
    expect(facts).toEqual([
      [id, { operation: 'set-quota', hits: 7 }],
      [id, { facegallery_id: gallery, what: 'threshold', by_operator: true }],
      [null, { token_id, by_operator: true }],
      [id, { token_id, scopes: 'read', by_operator: true }],
    ]);
    expect(JSON.stringify(records)).not.toContain(token);
    const starts = await list({ event: 'server_started' });
    expect(starts).toMatchObject([{ number: 1, facts: { pad_pack: 'none' } }]);
  });

  it('verifies in the store and as an exported file', async () => {
    const file = join(temporaryDirectory(), 'audit.jsonl');
    const { store } = server.context;
    const found = await checkTrail(sources, store);
    expect(found).toMatchObject({ fault: null, sealed: true, first: 1 });
    expect(await exportTrail(store, file)).toBe(found.records);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await checkTrailFile(sources, file)).toEqual(found);
    await expect(exportTrail(store, file)).rejects.toThrow('exists already; name a new file');

    const changed = join(temporaryDirectory(), 'changed.jsonl');
    writeFileSync(changed, readFileSync(file, 'utf8').replace('"pad_pack":"none"', '"pad_pack":"other"'));
    expect((await checkTrailFile(sources, changed)).fault).toBe(
      'record 1: its client, trx_id or facts were changed',
    );
    writeFileSync(changed, 'nothing');
    await expect(checkTrailFile(sources, changed)).rejects.toThrow(
      'line 1 is not of an exported audit trail',
    );
    expect(existsSync(file)).toBe(true);
  });

  it('is for operator clients, in pages', async () => {
    const other = await server.client();
    expect((await other.call(endpoints.getAudit)).http).toBe(403);
    const operator = await server.client({}, true);
    const first = await operator.call(endpoints.getAudit, { limit: 2 });
    const second = await operator.call(endpoints.getAudit, { limit: 2, before: first.body.next_before });
    const { body } = await operator.call(endpoints.getAudit, { limit: 4 });
    expect([...first.body.records, ...second.body.records].map(({ hash }) => hash)).toEqual(
      // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
      body.records.map(({ hash }: any) => hash),
    );
    const one = await operator.call(endpoints.getAudit, {
      client_id: operator.id,
      event: 'client_registered',
    });
    expect(one.body).toMatchObject({ records: [{ client_id: operator.id }], next_before: null });
  });
});
