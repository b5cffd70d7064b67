import { join } from 'node:path';
import { type Endpoint, endpointList, refusalAnswer, type StatusName, statuses } from '@wajah/contract';
import fc from 'fast-check';
import Database from 'libsql';
import { beforeAll, describe, expect, it } from 'vitest';
import { formOf } from '../support/form.ts';
import { rounds } from '../support/rounds.ts';
import { type Answer, drawPictures, startTestApp, type TestClient } from '../support/test-app.ts';
import { nameOf, type Place, placesOf, refusalOf, replaced, wrongValues } from '../support/wrong-values.ts';
import { goodFields, readyFields, tokenEndpoints } from './fixture.ts';

async function enrolAni(client: TestClient) {
  const { body } = await client.enrol('ani', pictures.ani, { user_name: 'Ani', details: true });
  const box = { x: expect.any(Number), y: expect.any(Number), width: expect.any(Number) };
  expect(body).toMatchObject({ status: '200', status_message: 'Success', found: 1, face: { box } });
}

const [server, pictures] = await Promise.all([
  startTestApp({ WAJAH_KEEP_FACE_CROPS: 'true', WAJAH_WEBHOOKS: 'true' }),
  drawPictures(),
]);
const owner = await server.client({}, true);
await enrolAni(owner);

const rowOfAbsent: Readonly<Record<string, StatusName>> = {
  image: 'imageNull',
  user_id: 'userIdNull',
  user_name: 'userNameNull',
  facegallery_id: 'galleryIdNull',
  target_image: 'targetImageNull',
  source_image: 'sourceImageNull',
};

/** What the table says of a call, and the begin of its detail. */
function expectRefused({ http, body }: Answer, name: StatusName, detail: string): void {
  const { message: status_message, ...row } = statuses[name];
  const { status, detail: given } = refusalAnswer.parse(body);
  expect([http, status, body.status_message, given.slice(0, detail.length)]).toEqual([
    ...[row.http, row.status, status_message, detail],
  ]);
}

/** The answers to the same fields in the query and in a form, where the endpoint takes them and the value is a text. */
async function asText(
  { methods: [method], path: url, pictures }: Endpoint,
  fields: object,
  { schema, given }: { schema: Place['schema']; given: unknown },
): Promise<object[]> {
  const isText = typeof given === 'string' && !/[\n\ud800]/.test(given);
  const headers = { accesstoken: owner.token };
  const answers: object[] = [];
  if (isText && method !== 'POST') {
    const query = String(new URLSearchParams(Object.entries(fields)));
    answers.push((await server.app.inject({ method, url: `${url}?${query}`, headers })).json());
  }
  if (isText && pictures > 0 && schema.type !== 'object' && schema.type !== 'array') {
    const { payload, type } = await formOf(fields);
    const sent = { ...headers, 'content-type': type };
    answers.push((await server.app.inject({ method, url, headers: sent, payload })).json());
  }
  return answers;
}

/** Everything that is stored, but records of calls: how many were made, and what was refused. */
function stored(): Record<string, string> {
  const database = new Database(join(server.directory, 'wajah.db'), { readonly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    const contents = (tables as { name: string }[])
      .filter(
        ({ name }) =>
          ![
            'audit',
            'audit_ends',
            'call_counts',
            'gallery_scores',
            'refused_calls',
            'sqlite_sequence',
          ].includes(name),
      )
      .map(({ name }) => {
        const rows = database.prepare(`SELECT * FROM "${name}"`).all() as object[];
        return [name, JSON.stringify(rows.map((row) => ({ ...row, used_hits: 0 })))];
      });
    return Object.fromEntries(contents);
  } finally {
    database.close();
  }
}

describe.each(tokenEndpoints.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (id, endpoint) => {
  const good = () => goodFields(endpoint, owner.gallery, pictures);

  it('succeeds, by every method it has', async () => {
    for (const method of endpoint.methods) {
      const client = await server.client({}, true);
      await enrolAni(client);
      const fields = await readyFields(endpoint, client, pictures);
      const { http, body, headers } = await client.call(endpoint, fields, method);
      expect(body).toMatchObject({ status: '200', status_message: endpoint.message ?? 'Success' });
      expect(http).toBe(200);
      expect(Object.keys(body).slice(0, 2)).toEqual(['status', 'status_message']);
      expect(endpoint.answer.parse(body)).toEqual(body);
      expect(headers['x-trx-id']).toBe(`good-${id}`);
      expect(headers['content-type']).toMatch(/^application\/json/);
    }
  });

  it('refuses each wrong value by the name of its field, in JSON, query and form alike, and writes nothing', async () => {
    const before = stored();
    // The fields are validated before a picture is decoded.
    const picture = 'aGk=';
    const fields = goodFields(endpoint, owner.gallery, {
      ani: picture,
      aniAgain: picture,
      withCard: picture,
    });
    for (const { path, schema, isRequired } of placesOf(endpoint)) {
      const name = nameOf(path);
      const { values, examples } = wrongValues(schema);
      const refused = async (given: unknown) => {
        const wrong = replaced(fields, path, given);
        const answer = await owner.call(endpoint, wrong);
        expectRefused(answer, 'malformed', name);
        expect(answer.body.detail.slice(name.length)).toMatch(refusalOf(schema, given));
        for (const other of await asText(endpoint, wrong, { schema, given }))
          expect({ ...other, trx_id: '' }).toEqual({ ...answer.body, trx_id: '' });
      };
      const numRuns = examples.length + rounds(1);
      await fc.assert(fc.asyncProperty(values, refused), { examples, numRuns });
      for (const nothing of isRequired ? [undefined, null, '', ' \t'] : []) {
        const answer = await owner.call(endpoint, replaced(fields, path, nothing));
        expectRefused(answer, (path.length === 1 && rowOfAbsent[name]) || 'malformed', name);
        expect(answer.body.detail.slice(name.length)).toMatch(refusalOf(schema, nothing));
      }
    }
    expect(stored()).toEqual(before);
  });

  it('does not know the gallery of another client', async () => {
    // Operators name the client whose gallery it is.
    if (!('facegallery_id' in good()) || id === 'createGallery' || endpoint.scope === 'operate') return;
    const otherClient = await server.client();
    const { http, body } = await otherClient.call(endpoint, good());
    expect([http, body.status, body.status_message]).toEqual([404, '416', 'facegallery_id not found']);
  });
});

describe('any body', () => {
  // After an erasure of the client, all further calls would have the same answer.
  const targets = endpointList.filter(({ id }) => id !== 'deleteClient');
  const fields = [...new Set(targets.flatMap(({ request }) => Object.keys(request.shape)))];
  const words = fc.constantFrom('true', '8', 'face left', 'client-1@trial', 'aGVsbG8=', '/9j/4AAQ', '');
  const value = fc.oneof(words, fc.jsonValue({ maxDepth: 2 }), fc.string({ unit: 'binary' }));
  const object = fc.dictionary(fc.constantFrom(...fields, '__proto__', 'constructor'), value);
  const json = fc.oneof(object, fc.jsonValue()).map((given) => JSON.stringify(given));
  const bytes = fc.uint8Array({ maxLength: 200 }).map((given) => Buffer.from(given));
  let client: TestClient;
  beforeAll(async () => {
    client = await server.client();
  });

  async function isAnswered({ methods, path }: Endpoint, payload: string | Buffer) {
    const headers = { accesstoken: client.token, 'content-type': 'application/json' };
    const answer = await server.app.inject({ method: methods[0], url: path, headers, payload });
    expect(answer.statusCode).not.toBe(500);
    if (answer.statusCode < 400) return;
    const { detail } = refusalAnswer.parse(answer.json());
    expect(detail.length).toBeGreaterThan(10);
    expect(detail).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e]/u);
  }

  it('is answered, or refused with a row of the status table', async () => {
    const target = fc.constantFrom(...targets);
    const body = fc.oneof({ weight: 3, arbitrary: json }, { weight: 1, arbitrary: bytes });
    await fc.assert(fc.asyncProperty(target, body, isAnswered), { numRuns: rounds(100) });
  });

  it.each(['[', '{"trx_id":', '{"face_parameters":', '{"batch":['])(
    'nested a hundred thousand deep after %s is refused',
    async (start) => {
      const depth = 100_000;
      // What is common to all bodies is tried on a few; a field, on all that have it.
      const field = /\w+/.exec(start)?.[0];
      const asked = targets.filter(({ request }) => field !== undefined && field in request.shape);
      for (const endpoint of asked.length === 0 ? targets : asked.slice(0, 5)) {
        if (endpoint.auth !== 'token') continue;
        await isAnswered(endpoint, start + '['.repeat(depth));
        const closing = start.includes('{') ? (start.endsWith('[') ? ']}' : '}') : ']';
        await isAnswered(endpoint, start + '['.repeat(depth) + ']'.repeat(depth) + closing);
      }
    },
  );
});
