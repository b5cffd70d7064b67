import { randomBytes } from 'node:crypto';
import { endpointList, endpoints } from '@wajah/contract';
import { expect, it } from 'vitest';
import { comprefaceEndpoints } from '../../../compreface/src/endpoints.ts';
import { formOf } from '../support/form.ts';
import { noPostgres, PostgresServer } from '../support/postgres.ts';
import { drawPictures, startTestApp, type TestApp } from '../support/test-app.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { webhooksOf } from '../support/webhooks.ts';
import { goodFields } from './fixture.ts';

/** Part of everything that no log line may have: ids and names of people, passwords, values of unknown fields. */
const mark = 'zzqx';

/** Access tokens, API tokens, secrets of webhooks, hexadecimal of stored bytes, the first base64 of a JPEG, templates. */
const forms = [
  /eyJ[\w-]{20,}\./,
  /waj_[\w-]{20,}/,
  /whsec_/,
  /[a-f\d]{80,}/i,
  /\/9j\/[A-Za-z\d+/]{40,}/,
  /(?:-?\d\.\d+,){8}/,
  /(?:\d{1,3},){40}/,
];

const pictures = await drawPictures();
const pictureTexts = Object.values(pictures);

/** Any part of a picture that was sent; a path of letters and slashes looks like one. */
const hasPicture = (line: string) =>
  (line.match(/[A-Za-z\d+/]{60,}/g) ?? []).some((run) =>
    pictureTexts.some((text) => text.includes(run.slice(10, 50))),
  );

async function start(env: Record<string, string> = {}) {
  const settings = {
    WAJAH_LOG_LEVEL: 'trace',
    WAJAH_COMPAT: 'risetai,compreface',
    WAJAH_KEEP_FACE_CROPS: 'true',
    WAJAH_WEBHOOKS: 'true',
    WAJAH_WEBHOOK_NETWORKS: '127.0.0.1',
    WAJAH_METRICS: 'operator',
  };
  return startTestApp(
    { ...settings, ...env },
    { limits: { features: { webhooks: { attempts: 2, retrySeconds: 0.05 } } } },
  );
}

/** The lines with a secret; a line is cut to what a message can show. */
function leaks({ log }: Pick<TestApp, 'log'>, secrets: readonly string[]): string[] {
  const texts = [mark, ...secrets].map((text) => text.toLowerCase());
  return log()
    .split('\n')
    .filter((line) => {
      const lower = line.toLowerCase();
      return (
        texts.some((text) => lower.includes(text)) ||
        forms.some((form) => form.test(line)) ||
        hasPicture(line)
      );
    })
    .map((line) => line.slice(0, 600));
}

/** Fields of an endpoint with ids and names that are marked, and one that no endpoint has. */
function marked(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isMarked = (name: string) => /^(user_id|user_name|consent_reference|name|other_user_id)$/.test(name);
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    isMarked(name) ? `${mark} ${value}` : value,
  ]);
  return { ...Object.fromEntries(entries), unknown: mark, password: mark };
}

/** Values of the wrong kind for each field. */
const wrong = [mark, { [mark]: mark }, [mark], -1, `data:image/jpeg;base64,${mark}`];

/** Names of galleries and clients, and ids of calls, are logged. */
const wrongFor = (name: string) =>
  /^(facegallery_id|client_id|trx_id)$/.test(name)
    ? wrong.filter((value) => typeof value !== 'string')
    : wrong;

/** Calls every endpoint with good and bad input, as JSON, form and query. @returns tokens that were answered */
async function callOwnEndpoints(app: TestApp): Promise<string[]> {
  const client = await app.client({}, true);
  const send = (url: string, method: string, headers: object, payload?: string | Buffer) =>
    app.app.inject({ method: method as 'POST', url, headers: { ...headers }, ...(payload && { payload }) });
  const accesstoken = { accesstoken: client.token };
  const last = (id: string) => /^(delete|erase|revoke|changePassword)/.test(id);
  const sorted = [...endpointList].sort((a, b) => Number(last(a.id)) - Number(last(b.id)));
  const answered: string[] = [client.token, client.diagnosticsToken, client.password];
  for (const endpoint of sorted) {
    const [method] = endpoint.methods;
    const good = marked(goodFields(endpoint, client.gallery, pictures));
    const headers = { ...accesstoken, 'content-type': 'application/json' };
    const credentials = { client_id: client.id, password: client.password };
    const json = JSON.stringify(endpoint.auth === 'credentials' ? { ...good, ...credentials } : good);
    const url = `${endpoint.path}?${mark}=${mark}`;
    const bodies = Object.keys(endpoint.request.shape).flatMap((name) =>
      wrongFor(name).map((value) => JSON.stringify({ ...good, image: pictures.nobody, [name]: value })),
    );
    for (const body of [...bodies, `{"${mark}": ${mark}}`, `"${mark}"`])
      await send(url, method, headers, body);
    await send(url, method, { ...headers, accesstoken: mark, authorization: `Bearer ${mark}` }, json);
    const basic = `Basic ${btoa(`${client.id}:${mark}`)}`;
    await send(url, method, { 'content-type': 'application/json', authorization: basic }, json);
    await send(`/risetai${endpoint.path}/${mark}`, method, headers, json);
    if (endpoint.pictures > 0) {
      const { payload, type } = await formOf(good);
      await send(url, method, { ...accesstoken, 'content-type': type }, payload);
      await send(url, method, { ...accesstoken, 'content-type': type }, payload.subarray(0, -9));
    }
    const { body } = await send(url, method, headers, json);
    answered.push(
      ...[...body.matchAll(/"(?:\w*token|secret|password)":"([^"]{16,})"/g)].map(([, text]) => text!),
    );
  }
  return answered;
}

/** Calls every endpoint of CompreFace's profile. @returns the keys */
async function callCompreface({ app, client: newClient, operate }: TestApp): Promise<string[]> {
  const client = await newClient();
  const keys: string[] = [];
  for (const endpoint of Object.values(comprefaceEndpoints)) {
    const { service, path, methods } = endpoint;
    const bound = {
      compreface: service,
      ...(service === 'recognition' && { facegallery_id: client.gallery }),
    };
    const { token } = await operate(endpoints.createApiToken, { name: 'key', ...bound }, client.id);
    keys.push(token);
    const file = { file: pictures.ani, source_image: pictures.ani, target_image: pictures.aniAgain };
    const fields = { ...file, subject: `${mark} ani`, name: `${mark} ani`, ids: [mark] };
    const id = '6b135f5b-a365-4522-b1f1-4c9ac2dd0728';
    for (const name of [`${mark}%20ani`, `${mark}%E0%A4%A`]) {
      const filled = path.replace(':api_key', token).replace(':name', name).replace(':image_id', id);
      const url = `${filled}?subject=${mark}%20ani&det_prob_threshold=${mark}`;
      for (const to of [filled, `${filled}?subject=${mark}`, url]) {
        const headers = { 'x-api-key': token };
        const [method] = methods;
        const { payload, type } = await formOf(fields);
        await app.inject({ method, url: to, headers, payload: fields });
        await app.inject({ method, url: to, headers: { ...headers, 'content-type': type }, payload });
        await app.inject({ method, url: to, headers: { 'x-api-key': `${token}x` }, payload: fields });
      }
    }
  }
  return keys;
}

/** A receiver that refuses what it gets. @returns the secret of the webhook */
async function failWebhooks({ client: newClient, context }: TestApp): Promise<string> {
  const [client, receiver] = [await newClient(), await startReceiver()];
  receiver.answer((_, response) => void response.writeHead(500).end(mark));
  const url = `${receiver.url}?key=${mark}`;
  const made = await webhooksOf(context).create(client.id, url, null);
  await client.enrol(`${mark} ani`, pictures.ani);
  await expect.poll(() => receiver.received.length).toBeGreaterThan(1);
  return typeof made === 'string' ? made : made.secret;
}

async function callEverything(app: TestApp): Promise<string[]> {
  const secrets = [...(await callOwnEndpoints(app)), ...(await callCompreface(app))];
  return [...secrets, await failWebhooks(app)];
}

it('a path is not taken for a secret; pictures, stored bytes and tokens are found', () => {
  const path = '/Users/somebody/Documents/projects/wajah/packages/server/src/store/database/postgres';
  const bytes = Buffer.from(pictures.ani, 'base64').subarray(300, 345);
  const found = [
    `detail: ${pictures.budi.slice(1001, 1070)}`,
    pictures.ani.slice(0, 60),
    `\\x${bytes.toString('hex')}`,
    'waj_abcdefghijklmnopqrstuvwxyz',
    'a password',
  ];
  const log = () => [`at run (file://${path}.ts:12:3)`, ...found].join('\n');
  expect(leaks({ log }, ['A password'])).toEqual(found);
});

it('no level of the log has tokens, keys, passwords, pictures, templates, names or ids of people', async () => {
  const app = await start();
  const secrets = await callEverything(app);
  expect(secrets.length).toBeGreaterThan(25);
  for (const { path } of [...endpointList, ...Object.values(comprefaceEndpoints)])
    expect(app.log()).toContain(`"${path}"`);
  expect(app.log()).toContain('a webhook was not delivered');
  expect(leaks(app, secrets)).toEqual([]);
});

it.skipIf(noPostgres)('nor with PostgreSQL, whose errors quote rows, nor while it is away', async () => {
  const postgres = await PostgresServer.start(['fsync=off']);
  const database = await postgres.database();
  const key = randomBytes(32).toString('hex');
  const app = await start({
    WAJAH_DATABASE_URL: database.replace('wajah@', `wajah:${mark}@`),
    WAJAH_SECRET_KEY: key,
  });
  const secrets = [key, ...(await callEverything(app))];
  const client = await app.client();
  const enrol = () => client.enrol(`${mark} ani`, pictures.ani);
  const name = database.split('/').at(-1);
  await postgres.query('ALTER TABLE faces ADD CONSTRAINT never CHECK (false) NOT VALID', name);
  expect((await enrol()).body.risetai.status).toBe('500');
  postgres.stop('immediate');
  expect((await enrol()).http).toBe(503);
  expect(app.log()).toMatch(/unexpected error[\s\S]*the store is not available/);
  expect(leaks(app, [...secrets, client.token])).toEqual([]);
});
