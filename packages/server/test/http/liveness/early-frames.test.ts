import { endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { drawnPicture } from '../../../../engine/test/drawn/drawn-face.ts';
import { filmOf } from '../../support/film.ts';
import { newClient, openSession, submitFrames } from '../../support/liveness-sessions.ts';
import { startTestApp, type TestClient } from '../../support/test-app.ts';

const { sendLivenessFrame } = endpoints;

const ani = await filmOf('ani');
const server = await startTestApp({ WAJAH_SPOOF_THRESHOLD: '1', WAJAH_UNCLEAR_SPOOF: 'accept' });

async function send(client: TestClient, session_id: string, image: string) {
  const { body } = await client.call(sendLivenessFrame, { session_id, image });
  return body;
}

/** Sends the frames of a session before its submission. @returns the frames with digests in place of pictures */
async function sent(
  client: TestClient,
  session_id: string,
  frames: readonly { step: string; image: string }[],
) {
  const digests: { step: string; digest: string }[] = [];
  for (const { step, image } of frames) {
    const { digest } = await send(client, session_id, image);
    digests.push({ step, digest });
  }
  return digests;
}

describe('frames that are sent before their submission', () => {
  it('are submitted by their digests, and judged as pictures are', async () => {
    const client = await newClient(server);
    const { session_id, steps } = await openSession(client);
    const frames = await sent(client, session_id, await ani.frames(steps));
    expect(await submitFrames(client, session_id, frames)).toMatchObject({
      liveness: 'passed',
      results: steps.map((step, frame) => ({ step, frame, match: true })),
    });
  });

  it('are answered alike, whatever they show', async () => {
    const client = await newClient(server);
    const { session_id } = await openSession(client);
    const landscape = (await drawnPicture({ width: 300, height: 300, faces: [] })).toString('base64');
    const answer = {
      status: '200',
      status_message: 'Success',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    };
    expect(await send(client, session_id, landscape)).toEqual(answer);
    expect(await send(client, session_id, await ani.frame('face front', 0))).toEqual(answer);
    expect(await send(client, session_id, '!')).toMatchObject({ status: '490' });
  });

  it('belong to the session of one client, and are needed as pictures where they are not held', async () => {
    const client = await newClient(server);
    const { session_id, steps } = await openSession(client);
    const pictures = await ani.frames(steps);
    expect(await send(await server.client(), session_id, pictures[0]!.image)).toMatchObject({
      status: '418',
    });
    const frames = await sent(client, session_id, pictures);
    const other = { ...frames[1]!, digest: '0'.repeat(64) };
    expect(await submitFrames(client, session_id, [frames[0]!, other])).toMatchObject({
      status: '400',
      detail: 'frames[1].digest: no such frame is held; send its image',
    });
    expect(await submitFrames(client, session_id, pictures)).toMatchObject({ liveness: 'passed' });
    expect(await send(client, session_id, pictures[0]!.image)).toMatchObject({ status: '419' });
  });
});
