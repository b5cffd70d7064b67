import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Endpoint, endpointList, endpoints, refusalsOf, statuses } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { sharedEngine } from '../../packages/engine/test/support/shared-engine.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { drawPictures, startTestApp, type TestClient } from '../../packages/server/test/support/test-app.ts';
import { blocksOf } from '../support/doc-blocks.ts';
import { root } from '../support/sources.ts';

const run = promisify(execFile);
const read = (path: string) => readFileSync(join(root, 'docs', path), 'utf8');
const overview = read('api.md');
const [setUp, form] = blocksOf(overview);
/** The refusals of every endpoint. */
const general = /^- \*\*Answers\*\*.*$/m.exec(overview)?.[0] ?? '';
const page = readdirSync(join(root, 'docs/api'))
  .map((name) => read(`api/${name}`))
  .join('\n');

const engine = await sharedEngine();
const server = await startTestApp({ WAJAH_KEEP_FACE_CROPS: 'true', WAJAH_WEBHOOKS: 'true' }, { engine });
const url = await server.app.listen({ host: '127.0.0.1', port: 0 });
const folder = temporaryDirectory();
const { ani, withCard } = await drawPictures();
for (const name of ['face', 'source', 'target', 'card']) write(`${name}.jpg`, ani);
for (let i = 1; i <= 8; i += 1) write(`face-${i}.jpg`, ani);
write('with-card.jpg', withCard);

function write(name: string, base64: string): void {
  writeFileSync(join(folder, name), Buffer.from(base64, 'base64'));
}

/** A client with the galleries, users and tokens that the example of an endpoint needs, and their ids by those of the example. */
async function stage({ id, example, scope }: Endpoint) {
  const client = await server.client({}, true);
  const gallery = { facegallery_id: 'demo@trial' };
  await client.call(endpoints.createGallery, gallery);
  if (id !== 'createGallery') await client.call(endpoints.createGallery, { facegallery_id: 'office' });
  for (const facegallery_id of ['demo@trial', 'office']) {
    const person = { user_id: '3174001', user_name: 'Sri Rahayu', facegallery_id, image: ani };
    if (!id.startsWith('enrol')) await client.call(endpoints.enrolFace, person);
  }
  const renamed = new Map<string, string>();
  const { session_id, token_id, webhook_id, other_user_id, picture_id, user_id, facegallery_id } =
    example.request;
  if (other_user_id) {
    const other = { user_id, user_name: 'Sri R.', facegallery_id, image: ani };
    await client.call(endpoints.enrolFace, other);
  }
  if (picture_id) {
    const one = { user_id, facegallery_id };
    const again = { ...one, user_name: 'Sri Rahayu', image: ani, append: true };
    await client.call(endpoints.enrolFace, again);
    const { body } = await client.call(endpoints.getFacePictures, one);
    renamed.set(String(picture_id), body.pictures[0].picture_id);
  }
  const named = scope === 'operate' ? example.request['client_id'] : undefined;
  if (named) {
    const client_id = `of-${client.id}`;
    if (id !== 'createClient') await client.call(endpoints.createClient, { client_id });
    renamed.set(String(named), client_id);
  }
  if (session_id) {
    const { body } = await client.call(endpoints.createLivenessSession);
    renamed.set(String(session_id), body.session_id);
  }
  if (token_id && 'createApiToken' in endpoints) {
    const { body } = await client.call(endpoints['createApiToken'] as Endpoint, { name: 'to be revoked' });
    renamed.set(String(token_id), body.token_id);
  }
  if (webhook_id) {
    const { body } = await client.call(endpoints.createWebhook, { url: 'https://localhost/' });
    renamed.set(String(webhook_id), body.webhook_id);
  }
  // The picture of the example shows person and card at once.
  if (id === 'enrolFaceKtp') renamed.set('picture face.jpg', 'picture with-card.jpg');
  return { client, renamed };
}

/** The answer to a command of the pages. */
async function answerOf(client: TestClient, command: string) {
  const definitions = (setUp?.text ?? '')
    .replace('http://127.0.0.1:8080', url)
    .replace('CLIENT=demo', `CLIENT=${client.id}`)
    .replace('the password that was shown', client.password)
    .replace('paste the access token here', client.token);
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', `${definitions}\n${command}`], {
    cwd: folder,
  });
  return JSON.parse(stdout);
}

describe('the pages of the API', () => {
  it('describes what holds for all endpoints, and a form', async () => {
    expect(setUp?.text).toContain('TOKEN=');
    const answer = await answerOf(await server.client(), form?.text ?? '');
    expect(answer).toMatchObject({ status: '200', faces: [{ yaw: expect.any(Number) }] });
  });

  it.each(endpointList)('$id has fields, an answer, refusals, and a command that works', async (endpoint) => {
    const section = page.split('\n## ').find((text) => text.startsWith(`${endpoint.id}\n`)) ?? '';
    expect(section).toContain(endpoint.path);
    for (const field of Object.keys(endpoint.request.shape)) {
      expect(field === 'trx_id' ? overview : section).toContain(`\`${field}\``);
    }
    for (const name of refusalsOf(endpoint)) expect(`${general}${section}`).toContain(statuses[name].status);
    if (endpoint.id !== 'openapi') expect(section).toContain('\nAnswer:');
    const own = blocksOf(section);
    for (const { text } of own.filter(({ language }) => language === 'json')) JSON.parse(text);

    const { client, renamed } = await stage(endpoint);
    let command = own.find(({ language }) => language === 'sh')?.text ?? '';
    for (const [name, value] of renamed) command = command.replaceAll(name, value);
    const answer = await answerOf(client, command);
    expect(endpoint.answer.safeParse(answer).error, JSON.stringify(answer).slice(0, 500)).toBeUndefined();
    if ('status' in answer) expect(answer.status).toBe('200');
  });
});
