import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '@wajah/contract';
import { expect, it } from 'vitest';
import { sharedEngine } from '../../../../engine/test/support/shared-engine.ts';
import { createRecordingVault } from '../../../src/security/vaults/row-vaults.ts';
import { SealError } from '../../../src/security/vaults/sealing.ts';
import { filmOf } from '../../support/film.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { startTestApp, type TestApp, type TestClient } from '../../support/test-app.ts';

const { createLivenessSession, submitLivenessSession } = endpoints;
const key = Buffer.alloc(32, 7);
/** Drawn heads are no photographs: spoof scores are tested on real pictures elsewhere. */
const env = {
  WAJAH_SPOOF_THRESHOLD: '1',
  WAJAH_UNCLEAR_SPOOF: 'accept',
  WAJAH_SECRET_KEY: key.toString('hex'),
};
const on = { ...env, WAJAH_RECORD_SESSIONS: 'true' };
const page = { after: '', limit: 100 };

const ani = await filmOf('ani');

async function start(settings: Record<string, string>) {
  const directory = temporaryDirectory();
  const steps = ['face front', 'face left', 'face front'] as const;
  const others = { engine: await sharedEngine(), drawSteps: () => [...steps], directory };
  const server = await startTestApp(settings, others);
  return { server, directory };
}

/**
 * Submits a session of a new client, or of one that is given; resolves when it is recorded or not.
 * @param whole a frame of each step; else one frame, which fails
 */
async function judged(
  server: TestApp,
  fields: object,
  { client, open = {}, whole = false }: { client?: TestClient; open?: object; whole?: boolean } = {},
) {
  await server.forgetFrames();
  const caller = client ?? (await server.client());
  const { body: session } = await caller.call(createLivenessSession, { steps: 2, ...open });
  const frames = await ani.frames(whole ? session.steps : ['face front']);
  const submitted = { session_id: session.session_id, frames, ...fields };
  const { body } = await caller.call(submitLivenessSession, submitted);
  await server.context.recordings.settled();
  return { caller, body, frames, id: session.session_id as string };
}

const listed = async ({ context }: TestApp) =>
  (await context.store.recordings.list(page)).map(({ id }) => id);

const raw = (directory: string) =>
  Buffer.concat(
    readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => readFileSync(join(directory, name))),
  );

/** From the middle of a picture: bytes that nothing else holds. */
function sampleOf({ image }: { image: string }): Buffer {
  const bytes = Buffer.from(image, 'base64');
  return bytes.subarray(bytes.length >> 1, (bytes.length >> 1) + 32);
}

it('without the setting nothing is recorded, consent or not', async () => {
  const { server } = await start(env);
  const { body } = await judged(server, { consent: true, device: 'phone' });
  expect(body).toMatchObject({ status: '200', liveness: 'failed' });
  expect(await listed(server)).toEqual([]);
});

it('without consent nothing is recorded', async () => {
  const { server } = await start(on);
  for (const fields of [{}, { consent: false }, { consent: null, device: 'phone' }]) {
    expect((await judged(server, fields)).body).toMatchObject({ liveness: 'failed' });
  }
  expect((await judged(server, { consent: 'perhaps' })).body).toMatchObject({ status: '400' });
  expect(await listed(server)).toEqual([]);
});

it('with both, pictures and judgement are recorded, sealed, and bound to their session', async () => {
  const { server, directory } = await start(on);
  const fields = { consent: true, device: 'Pixel 7, front' };
  const { id, caller, frames, body } = await judged(server, fields, { whole: true });
  expect(body).not.toHaveProperty('recorded');
  const [record] = await server.context.store.recordings.list(page);
  expect(record).toMatchObject({ id, clientId: caller.id, label: null, species: null });

  const stored = raw(directory);
  const samples = frames.map(sampleOf);
  expect(samples.filter((sample) => stored.includes(sample))).toEqual([]);
  expect(stored.includes('JFIF')).toBe(false);
  expect(stored.includes('Pixel 7')).toBe(false);
  expect(server.log()).not.toContain('Pixel 7');
  for (const { image } of frames) expect(server.log()).not.toContain(image.slice(0, 60));

  const vault = createRecordingVault(key);
  const context = { clientId: caller.id, id };
  const judgement = JSON.parse(Buffer.from(vault.open(context, null, record!.judgement)).toString());
  expect(judgement).toMatchObject({ version: 1, passed: true, reasons: [], device: 'Pixel 7, front' });
  expect(judgement).toMatchObject({ person: null, similarity: null, spoofThreshold: 1 });
  expect(judgement.steps).toEqual(frames.map(({ step }) => step));
  expect(judgement.frames[1]).toMatchObject({ step: frames[1]!.step, representative: true, error: null });
  expect(judgement.frames[0].spoofScore).toBeGreaterThanOrEqual(0);
  const parts = await server.context.store.recordings.parts(id, { after: -1, limit: 100 });
  const opened = parts.map(({ part, sealed }) => vault.open(context, part, sealed));
  expect(Buffer.concat(opened)).toEqual(
    Buffer.concat(frames.map(({ image }) => Buffer.from(image, 'base64'))),
  );
  expect(judgement.frames.reduce((sum: number, frame: { bytes: number }) => sum + frame.bytes, 0)).toBe(
    Buffer.concat(opened).length,
  );

  const other = createRecordingVault(Buffer.alloc(32, 8));
  expect(() => other.open(context, 0, parts[0]!.sealed)).toThrow(SealError);
  expect(() => vault.open({ ...context, id: 'other' }, 0, parts[0]!.sealed)).toThrow(SealError);
  expect(() => vault.open(context, 1, parts[0]!.sealed)).toThrow(SealError);
});

it('a failed session is recorded with its reasons and broken frames, and a refused one is not', async () => {
  const { server } = await start(on);
  const client = await server.client();
  const first = await judged(server, { consent: true }, { client });
  const again = await judged(server, { consent: true, session_id: first.id }, { client });
  expect(again.body).toMatchObject({ status: '419' });
  const broken = [{ step: 'face front', image: '?' }];
  const light_frames = [{ light: 0, image: await ani.frame('face front', 0) }];
  const failed = await judged(server, { consent: true, frames: broken, light_frames }, { client });
  expect(failed.body).toMatchObject({ liveness: 'failed' });
  expect(await listed(server)).toEqual([first.id, failed.id]);
  const [, record] = await server.context.store.recordings.list(page);
  const context = { clientId: client.id, id: failed.id };
  const opened = createRecordingVault(key).open(context, null, record!.judgement);
  expect(JSON.parse(Buffer.from(opened).toString())).toMatchObject({
    passed: false,
    reasons: [expect.stringMatching(/^order: /)],
    spoofScore: null,
    light: null,
    frames: [
      { bytes: 0, spoofScore: null, error: expect.stringContaining('base64') },
      { step: 'light 0', bytes: expect.any(Number), representative: false },
    ],
  });
});

it.each(['user', 'gallery', 'client'] as const)('recordings are erased with their %s', async (way) => {
  const { server, directory } = await start(on);
  const client = await server.client();
  const owner = { facegallery_id: client.gallery, user_id: 'u1' };
  const image = await ani.frame('face front', 1);
  await client.call(endpoints.enrolFace, { ...owner, user_name: 'U', image, force_register: true });
  const mine = await judged(server, { consent: true }, { client, open: owner });
  const others = await judged(server, { consent: true }, { client });
  expect(await listed(server)).toEqual([mine.id, others.id]);
  const [record] = await server.context.store.recordings.list(page);
  const sealed = Buffer.from(record!.judgement).subarray(20, 60);
  expect(raw(directory).includes(sealed)).toBe(true);

  if (way === 'user') await client.call(endpoints.deleteFace, owner);
  if (way === 'gallery') await client.call(endpoints.deleteGallery, { facegallery_id: client.gallery });
  if (way === 'client') await client.call(endpoints.deleteClient);
  expect(await listed(server)).toEqual(way === 'client' ? [] : [others.id]);
  expect(raw(directory).includes(sealed)).toBe(false);
});

it('recordings are erased by the subject or the user of their session, and waiting ones are not written', async () => {
  const { server } = await start(on);
  const client = await server.client();
  const owner = { facegallery_id: client.gallery, user_id: 'u1' };
  const image = await ani.frame('face front', 1);
  await client.call(endpoints.enrolFace, { ...owner, user_name: 'U', image, force_register: true });
  await judged(server, { consent: true }, { client, open: owner });
  await judged(server, { consent: true }, { client, open: { subject: 'u2' } });
  const both = await judged(server, { consent: true }, { client, open: { ...owner, subject: 'u3' } });
  const { recordings } = server.context;
  const subject = (name: string) => ({ owner: { clientId: client.id, subject: name } });
  expect(await recordings.erase({ owner: { clientId: 'another', subject: 'u2' } })).toBe(0);
  expect(await recordings.erase(subject('u2'))).toBe(1);
  expect(await recordings.erase(subject('u4'))).toBe(0);
  expect(await recordings.erase(subject('u1'))).toBe(2);
  expect(await listed(server)).not.toContain(both.id);
  const judgement = { pack: 'p', steps: [], device: null, passed: true, reasons: [], spoofScore: null };
  recordings.record({
    id: 'waiting',
    clientId: client.id,
    at: new Date(),
    images: [],
    subject: null,
    owners: [subject('u1').owner],
    judgement: { ...judgement, spoofThreshold: 0.5, similarity: null, light: null, lights: null, frames: [] },
  });
  expect(await recordings.erase(subject('u1'))).toBe(0);
  await recordings.settled();
  expect(await listed(server)).toEqual([]);
});

it('recording stops at its size with one line in the log, and no call fails', async () => {
  const { server } = await start({ ...on, WAJAH_RECORD_MB: '1' });
  const client = await server.client();
  const large = Buffer.alloc(1_200_000, 'x').toString('base64');
  const fields = { consent: true, frames: [{ step: 'face front', image: large }] };
  for (let i = 0; i < 2; i++) {
    expect((await judged(server, fields, { client })).body).toMatchObject({ liveness: 'failed' });
  }
  expect(await listed(server)).toEqual([]);
  expect(server.log().match(/WAJAH_RECORD_MB is reached/g)).toHaveLength(1);
});
