import { endpoints } from '@wajah/contract';
import { describe, expect, it, vi } from 'vitest';
import { runWajah } from '../../../test/support/run-wajah.ts';
import { temporaryDirectory } from '../../../test/support/temporary.ts';
import { drawPictures, startTestApp, type TestClient } from '../../../test/support/test-app.ts';

const directory = temporaryDirectory();
const env = { WAJAH_DATA_DIR: directory };
const server = await startTestApp({}, { directory });
const pictures = await drawPictures();

async function enrol(client: TestClient, user_id: string, image: string): Promise<void> {
  expect((await client.enrol(user_id, image)).http).toBe(200);
}

const find = (client: TestClient, fields: object = {}) =>
  client.call(endpoints.findDuplicates, { facegallery_id: client.gallery, ...fields });

/** Runs the command on the same data directory. */
async function wajahDuplicates(...args: string[]) {
  const { code, out } = await runWajah(env, 'gallery', 'duplicates', ...args, '--json');
  expect(code).toBe(0);
  return JSON.parse(out);
}

const idsOf = (body: { pairs: { users: { user_id: string }[] }[] }) =>
  body.pairs.map(({ users }) => users.map(({ user_id }) => user_id));

describe('find-duplicates', () => {
  it('finds a person who is enrolled under two user_ids, and nobody else', async () => {
    const client = await server.client();
    await enrol(client, 'ani', pictures.ani);
    await enrol(client, 'budi', pictures.budi);
    await enrol(client, 'ani-2', pictures.aniAgain);
    const { http, body } = await find(client);
    expect([http, body.status]).toEqual([200, '200']);
    expect(idsOf(body)).toEqual([['ani-2', 'ani']]);
    const [pair] = body.pairs;
    expect(pair.users[1]).toMatchObject({ user_id: 'ani', user_name: 'name of ani' });
    expect(Date.parse(pair.users[1].created_at)).toBeGreaterThan(0);
    expect(pair.similarity).toBeGreaterThanOrEqual(body.threshold);
    expect(pair.false_match_rate).toBeLessThanOrEqual(body.false_match_rate);
    expect(body).toMatchObject({ complete: true, progress: 1, people: 3, people_compared: 3 });
    expect(body).toMatchObject({ cohort_version: 0, cohort_people: 0 });
    expect(body.expected_false_pairs).toBeLessThanOrEqual(0.1);
    const listed = { clientId: client.id, limit: 1, event: 'duplicates_searched' };
    const record = await vi.waitFor(async () => {
      const [newest] = await server.context.store.audit.list(listed);
      if (!newest) throw new Error('no record yet');
      return newest;
    });
    const { people, compared, pairs, threshold } = record.facts as Record<string, number>;
    expect([people, compared, pairs, threshold]).toEqual([3, 3, 1, body.threshold]);
    expect(JSON.stringify(record)).not.toContain('ani');
  });

  it('compares only what was written after the cursor, and names nobody who was deleted', async () => {
    const client = await server.client();
    await enrol(client, 'ani', pictures.ani);
    await enrol(client, 'ani-2', pictures.aniAgain);
    const first = (await find(client)).body;
    expect(idsOf(first)).toEqual([['ani-2', 'ani']]);
    expect(idsOf((await find(client, { cursor: first.cursor })).body)).toEqual([]);
    await enrol(client, 'ani-3', pictures.ani);
    const later = (await find(client, { cursor: first.cursor })).body;
    expect(idsOf(later)).toEqual([
      ['ani-3', 'ani'],
      ['ani-3', 'ani-2'],
    ]);
    expect(later.pairs[0].similarity).toBe(1);
    await client.call(endpoints.deleteFace, { facegallery_id: client.gallery, user_id: 'ani' });
    expect(idsOf((await find(client, { cursor: first.cursor })).body)).toEqual([['ani-3', 'ani-2']]);
    expect(idsOf((await find(client)).body)).toEqual([['ani-3', 'ani-2']]);
  });

  it('has the threshold of the expected false pairs, and says how many it really expects', async () => {
    const client = await server.client();
    for (const user of ['ani', 'budi', 'citra']) await enrol(client, user, pictures.budi);
    const strict = (await find(client, { expected_false_pairs: '1e-6' })).body;
    expect(strict.threshold).toBeCloseTo(0.9999, 4);
    expect(strict.expected_false_pairs).toBeCloseTo(3e-6, 6);
    const lenient = (await find(client, { expected_false_pairs: 1e6 })).body;
    expect(lenient.threshold).toBe(server.context.engine.threshold);
    const some = (await find(client, { expected_false_pairs: 0.003 })).body;
    expect(some).toMatchObject({ threshold: 0.625, false_match_rate: 0.001, expected_false_pairs: 0.003 });
  });

  it('leaves out people who are marked as different, until one of them is deleted', async () => {
    const client = await server.client();
    const users = { facegallery_id: client.gallery, user_id: 'ani', other_user_id: 'ani-2' };
    const mark = (fields: object = {}) => client.call(endpoints.markDifferent, { ...users, ...fields });
    await enrol(client, 'ani', pictures.ani);
    expect((await mark()).body).toMatchObject({
      status: '415',
      detail: expect.stringMatching(/^other_user_id/),
    });
    expect((await mark({ other_user_id: 'ani' })).body.status).toBe('400');
    await enrol(client, 'ani-2', pictures.aniAgain);
    expect((await mark()).body.status).toBe('200');
    expect(idsOf((await find(client)).body)).toEqual([]);
    await mark({ different: false });
    expect(idsOf((await find(client)).body)).toEqual([['ani-2', 'ani']]);
    await mark({ user_id: 'ani-2', other_user_id: 'ani' });
    await client.call(endpoints.deleteFace, users);
    await enrol(client, 'ani', pictures.ani);
    expect(idsOf((await find(client)).body)).toEqual([['ani', 'ani-2']]);
  });

  it('counts one hit for a call, and answers an empty gallery', async () => {
    const client = await server.client({ hits: 2 });
    expect((await find(client)).body).toMatchObject({ pairs: [], complete: true, progress: 1, people: 0 });
    expect((await find(client)).http).toBe(200);
    const { body } = await find(client);
    expect([body.status, body.detail]).toEqual(['403', expect.stringMatching(/n_api_hits/)]);
  });

  it('refuses cursors that are none or of another gallery, and foreign galleries', async () => {
    const [client, other] = [await server.client(), await server.client()];
    const foreign = (await find(other)).body.cursor;
    for (const [fields, status, detail] of [
      [{ cursor: 'x' }, '400', /^cursor: it is no cursor/],
      [{ cursor: foreign }, '400', /^cursor: it is of another gallery/],
      [{ facegallery_id: other.gallery }, '416', /no gallery of this name/],
    ] as const) {
      const { body } = await find(client, fields);
      expect([body.status, body.detail]).toEqual([status, expect.stringMatching(detail)]);
    }
  });

  it('is the same by the command', async () => {
    const client = await server.client();
    for (const [user, image] of [
      ['ani', pictures.ani],
      ['budi', pictures.budi],
      ['ani-2', pictures.aniAgain],
    ] as const) {
      await enrol(client, user, image);
    }
    const { body } = await find(client);
    const expected = { people: 3, complete: true, threshold: body.threshold, cohort_people: 0 };
    const beside = await wajahDuplicates(client.id, client.gallery);
    expect(beside).toMatchObject({ ...expected, cursor: body.cursor });
    expect(beside.pairs[0].users[1]).toMatchObject({ user_id: 'ani', user_name: 'name of ani' });
    const after = await wajahDuplicates(client.id, client.gallery, '--cursor', body.cursor);
    expect(after).toMatchObject({ ...expected, pairs: [] });
  });
});
