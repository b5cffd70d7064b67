import { endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { drawnPicture } from '../../../../engine/test/drawn/drawn-face.ts';
import { filmOf } from '../../support/film.ts';
import { newClient, openSession, submitFrames } from '../../support/liveness-sessions.ts';
import { startTestApp, type TestClient } from '../../support/test-app.ts';

const { sendLivenessFrame } = endpoints;

const ani = await filmOf('ani');
const server = await startTestApp({ WAJAH_SPOOF_THRESHOLD: '1', WAJAH_UNCLEAR_SPOOF: 'accept' });

async function send(client: TestClient, session_id: string, image: string, step?: string) {
  const { body } = await client.call(sendLivenessFrame, { session_id, image, step });
  return body;
}

/**
 * Sends the frames of a session before its submission.
 * @param named the step that is named for each
 * @returns the frames with digests in place of pictures
 */
async function sent(
  client: TestClient,
  session_id: string,
  frames: readonly { step: string; image: string }[],
  named: (step: string) => string | undefined = () => undefined,
) {
  const digests: { step: string; digest: string }[] = [];
  for (const { step, image } of frames) {
    const { digest } = await send(client, session_id, image, named(step));
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

  it('are analysed for the step that is named, and judged as pictures are', async () => {
    const client = await newClient(server);
    const { session_id, steps } = await openSession(client);
    const frames = await sent(client, session_id, await ani.frames(steps), (step) => step);
    expect(await submitFrames(client, session_id, frames)).toMatchObject({
      liveness: 'passed',
      results: steps.map((step, frame) => ({ step, frame, match: true })),
    });
    const refused = await send(client, session_id, await ani.frame('face front', 0), 'face backwards');
    expect(refused).toMatchObject({ status: '400', error: 'fieldsMalformed' });
  });

  it('count as not held for a step that needs more than the one that was named', async () => {
    const client = await newClient(server);
    const { session_id, steps } = await openSession(client);
    const pictures = await ani.frames(steps);
    // What tells a turning head from a flat or animated one is measured of turns alone, the whole template of fronts.
    const frames = await sent(client, session_id, pictures, () => 'mouth open');
    expect(await submitFrames(client, session_id, frames)).toMatchObject({
      status: '400',
      error: 'frameNotHeld',
      detail: 'frames[0].digest: no such frame is held; send its image',
    });
    const withFronts = frames.map((frame, i) => (frame.step === 'face front' ? pictures[i]! : frame));
    expect(await submitFrames(client, session_id, withFronts)).toMatchObject({
      error: 'frameNotHeld',
      params: { index: steps.findIndex((step) => step !== 'face front' && step !== 'mouth open') },
    });
    await sent(client, session_id, pictures, () => 'eyes open');
    expect(await submitFrames(client, session_id, frames)).toMatchObject({ liveness: 'passed' });
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
