import { expect } from 'vitest';
import { drawnFace, drawnPicture } from '../../../packages/engine/test/drawn/drawn-face.ts';
import { freePort } from '../../../packages/server/test/support/postgres.ts';
import { base64 } from '../../../packages/server/test/support/requests.ts';
import { startReceiver } from '../../../packages/server/test/support/webhook-receiver.ts';
import { call, type Json, newClient } from '../../support/enrolling.ts';
import { serve, wajah } from '../../support/program.ts';
import type { Place } from './place.ts';

/** Calls of one kind at once: the server is killed at the first answer. */
const concurrent = 6;
const galleries = '/face-api/facegallery';

/** The events of answered calls reach the receiver. */
export async function eventsAreSent(place: Place): Promise<void> {
  const closed = await startReceiver(await freePort());
  await closed.close();
  const settings = {
    ...place.settings,
    WAJAH_WEBHOOKS: 'true',
    WAJAH_WEBHOOK_NETWORKS: '127.0.0.1',
    // Drawn heads are no photographs.
    WAJAH_SPOOF_THRESHOLD: '1',
    WAJAH_UNCLEAR_SPOOF: 'accept',
  };
  const { token } = await newClient(settings, 'acme');
  expect(await wajah(settings, 'webhook', 'create', 'acme', closed.url)).toMatchObject({ code: 0 });
  const [ani, budi, nobody] = await Promise.all([
    base64(drawnFace({ person: 'ani' })),
    base64(drawnFace({ person: 'budi' })),
    base64(drawnPicture({ width: 300, height: 300, faces: [] })),
  ]);
  const facegallery_id = 'acme@trial';
  const user = { user_id: 'ani', facegallery_id };

  let server = await serve(settings);
  const sent = (path: string, fields: Json) => call(server.url, token, path, fields);
  const enrol = (user_id: string, image: string) =>
    sent(`${galleries}/enroll-face`, { user_id, facegallery_id, user_name: 'A', image });
  await enrol('ani', ani);
  // Events that name them would be erased with them.
  for (let i = 0; i < concurrent; i++) await enrol(`erased-${i}`, budi);
  const sessions = await Promise.all(
    Array.from({ length: concurrent }, () => sent('/liveness-api/create-session', {})),
  );
  const still = (i: number) => {
    const { session_id, steps } = sessions[i] as { session_id: string; steps: string[] };
    return { session_id, frames: steps.map((step) => ({ step, image: ani })) };
  };

  const kinds: readonly [type: string, path: string, fields: (i: number) => Json][] = [
    ['face.identified', `${galleries}/identify-face`, () => ({ facegallery_id, image: ani })],
    ['call.refused', `${galleries}/verify-face`, () => ({ ...user, image: nobody })],
    ['face.verified', `${galleries}/verify-face`, () => ({ ...user, image: ani })],
    [
      'liveness.failed',
      '/liveness-api/verify-face-liveness',
      () => ({ image: ani, face_parameters: { angle: 'face left', spoof_detection: false } }),
    ],
    ['liveness.failed', '/liveness-api/submit-session', still],
    ['face.erased', '/face-api/person/erase-person', (i) => ({ user_id: `erased-${i}` })],
  ];
  const answered: string[] = [];
  for (const [n, [type, path, fields]] of kinds.entries()) {
    const calls = Array.from({ length: concurrent }, async (_value, i) => {
      const trx_id = `${n}-${i}`;
      await sent(path, { ...fields(i), trx_id });
      answered.push(`${type} ${trx_id}`);
    });
    await Promise.any(calls);
    await server.stop('SIGKILL');
    await Promise.allSettled(calls);
    server = await serve(settings);
  }
  expect(new Set(answered.map((one) => one.split(' ')[0]))).toEqual(new Set(kinds.map(([type]) => type)));
  const receiver = await startReceiver(closed.port);
  const told = () => receiver.received.map(({ event }) => `${event.type} ${event.data.trx_id}`);
  await expect.poll(told).toEqual(expect.arrayContaining(answered));
  await server.stop('SIGTERM');
}
