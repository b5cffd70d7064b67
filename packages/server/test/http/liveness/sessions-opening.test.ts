import { join } from 'node:path';
import { endpoints } from '@wajah/contract';
import Database from 'libsql';
import { beforeEach, describe, expect, it } from 'vitest';
import { sharedEngine } from '../../../../engine/test/support/shared-engine.ts';
import { filmOf } from '../../support/film.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { startTestApp, type TestClient } from '../../support/test-app.ts';

const { createLivenessSession, submitLivenessSession } = endpoints;

const ani = await filmOf('ani');
const env = {
  WAJAH_SPOOF_THRESHOLD: '1',
  WAJAH_UNCLEAR_SPOOF: 'accept',
};
const limits = { opening: { failures: 2, open: 40 } };
const server = await startTestApp(env, { limits });
beforeEach(() => server.forgetFrames());

const open = async (client: TestClient, fields: object = {}) =>
  (await client.call(createLivenessSession, fields)).body;

/** Submits frames in the wrong order. */
const fail = async (client: TestClient, { session_id }: { session_id: string }) => {
  const frames = [{ step: 'face up', image: await ani.frame('face up', 0) }];
  const { body } = await client.call(submitLivenessSession, { session_id, frames });
  expect(body).toMatchObject({ liveness: 'failed' });
};

describe('while a session of a subject is open', () => {
  it('the same session comes again, also from concurrent calls', async () => {
    const client = await server.client();
    const opened = await Promise.all(
      Array.from({ length: 12 }, (_, i) => open(client, { subject: 'person 1', steps: 2 + (i % 4) })),
    );
    expect(new Set(opened.map(({ session_id }) => session_id)).size).toBe(1);
    expect(new Set(opened.map(({ steps }) => steps.join())).size).toBe(1);
    const [{ session_id, nonce, expires_at }] = opened;
    expect(await open(client, { subject: ' person 1 ' })).toMatchObject({ session_id, nonce, expires_at });
    expect((await open(client, { subject: 'person 2' })).session_id).not.toBe(session_id);
    expect((await open(await server.client(), { subject: 'person 1' })).session_id).not.toBe(session_id);
  });

  it('the subject of a call that names a user is that user', async () => {
    const client = await server.client();
    const image = await ani.frame('face front', 3);
    const user = { user_id: 'ani', facegallery_id: client.gallery };
    await client.call(endpoints.enrolFace, { ...user, user_name: 'Ani', image });
    const first = await open(client, user);
    expect((await open(client, user)).session_id).toBe(first.session_id);
    const unbound = await open(client, { subject: 'ani' });
    const bound = await open(client, { ...user, subject: 'ani' });
    expect(bound).toMatchObject({ steps: unbound.steps, expires_at: unbound.expires_at });
    expect(bound.session_id).not.toBe(unbound.session_id);
  });
});

it('after a failure the challenge is longer; after several there is a pause, until a time', async () => {
  const client = await server.client();
  const subject = { subject: 'person 1', steps: 2 };
  const first = await open(client, subject);
  expect(first.steps).toHaveLength(4);
  await fail(client, first);
  const second = await open(client, subject);
  expect(second.steps).toHaveLength(5);
  await fail(client, second);
  const { body, headers } = await client.call(createLivenessSession, subject);
  expect(body).toMatchObject({ status: '429', status_message: 'Too many requests' });
  expect(body.detail).toMatch(/2 sessions .*; open the next one at \d{4}-.*Z, in \d+ s$/);
  expect(Number(headers['retry-after'])).toBeGreaterThan(590);
  expect((await open(client, { ...subject, subject: 'person 2' })).steps).toHaveLength(4);
});

it('the same frames pass in the same session after a fault of the store', async () => {
  const directory = temporaryDirectory();
  const faulty = await startTestApp(
    { WAJAH_SPOOF_THRESHOLD: '1', WAJAH_UNCLEAR_SPOOF: 'accept' },
    { engine: await sharedEngine(), directory },
  );
  const client = await faulty.client();
  const { session_id, steps } = await open(client, { steps: 2 });
  const frames = await ani.frames(steps, 4);
  const submit = async () => (await client.call(submitLivenessSession, { session_id, frames })).body;
  const rename = (from: string, to: string) => {
    const database = new Database(join(directory, 'wajah.db'));
    database.exec(`ALTER TABLE ${from} RENAME TO ${to}`);
    database.close();
  };
  rename('liveness_frames', 'hidden');
  expect((await submit()).status).toBe('500');
  rename('hidden', 'liveness_frames');
  expect(await submit()).toMatchObject({ liveness: 'passed' });
});

describe('without a subject', () => {
  it('opening many sessions and answering none makes challenges longer, and is limited', async () => {
    const client = await server.client();
    const lengths: number[] = [];
    for (let i = 0; i < 40; i++) lengths.push((await open(client, { steps: 2 })).steps.length - 2);
    expect(lengths).toEqual(Array.from({ length: 40 }, (_, i) => Math.min(5, 2 + Math.floor(i / 10))));
    const { body, headers } = await client.call(createLivenessSession, {});
    expect(body.status).toBe('429');
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(300);
    expect((await open(client, { subject: 'person 1' })).status).toBe('200');
  });

  it('sessions that are opened at once have the same steps', async () => {
    const client = await server.client();
    const opened = await Promise.all(Array.from({ length: 8 }, () => open(client, { steps: 5 })));
    expect(new Set(opened.map(({ session_id }) => session_id)).size).toBe(8);
    // Two, where a period of their lifetime ends meanwhile.
    expect(new Set(opened.map(({ steps }) => steps.join())).size).toBeLessThanOrEqual(2);
  });

  it('a call that is refused for it takes no hit', async () => {
    const client = await server.client({ hits: 1000 });
    const left = async () => (await client.call(endpoints.getCounters, {})).body.remaining_limit.n_api_hits;
    for (let i = 0; i < 40; i++) await open(client);
    const before = await left();
    expect((await open(client)).status).toBe('429');
    expect(await left()).toBe(before);
  });
});
