import { createHash } from 'node:crypto';
import { endpoints } from '@wajah/contract';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { drawnFace } from '../../../../engine/test/drawn/drawn-face.ts';
import { faceUnit, flatOf, photograph } from '../../../../engine/test/drawn/drawn-head.ts';
import { faceIn, sharedEngine } from '../../../../engine/test/support/shared-engine.ts';
import { filmOf } from '../../support/film.ts';
import { newClient, openSession, submitFrames } from '../../support/liveness-sessions.ts';
import { startTestApp } from '../../support/test-app.ts';

const engine = await sharedEngine();
const ani = await filmOf('ani');
const server = await startTestApp({ WAJAH_SPOOF_THRESHOLD: '1', WAJAH_UNCLEAR_SPOOF: 'accept' }, { engine });

const closerSession = async () => {
  const client = await newClient(server);
  const { session_id, steps } = await openSession(client, { steps: 2, closer: true });
  return { client, session_id, steps, frames: await ani.frames(steps) };
};

/** The middle of a picture at twice its size, as a zoom shows it. */
async function enlarged(image: string): Promise<string> {
  const { width, height } = await sharp(Buffer.from(image, 'base64')).metadata();
  const part = { left: width / 5, top: height / 5, width: (width * 3) / 5, height: (height * 3) / 5 };
  return (
    await sharp(Buffer.from(image, 'base64')).extract(part).resize(width, height).jpeg().toBuffer()
  ).toString('base64');
}

describe('a session that ends with the step face closer', () => {
  it('is opened where it is requested, and passes a person who comes closer', async () => {
    const { client, session_id, steps, frames } = await closerSession();
    expect(steps.slice(-2)).toEqual(['face front', 'face closer']);
    expect(steps).toHaveLength(5);
    const judged = await submitFrames(client, session_id, frames);
    expect(judged).toMatchObject({ liveness: 'passed' });
    expect(judged.results!.at(-1)).toMatchObject({ step: 'face closer', match: true });
    expect((await openSession(client, { steps: 2 })).steps).not.toContain('face closer');
  });

  it('compares frames that were sent early', async () => {
    const { client, session_id, frames } = await closerSession();
    const sent: object[] = [];
    for (const { step, image } of frames) {
      await client.call(endpoints.sendLivenessFrame, { session_id, image });
      sent.push({ step, digest: createHash('sha256').update(Buffer.from(image, 'base64')).digest('hex') });
    }
    expect(await submitFrames(client, session_id, sent)).toMatchObject({ liveness: 'passed' });
  });

  it('refuses a frontal frame that is enlarged', async () => {
    const { client, session_id, frames } = await closerSession();
    const image = await enlarged(await ani.frame('face front', 5));
    const judged = await submitFrames(client, session_id, [
      ...frames.slice(0, -1),
      { step: 'face closer', image },
    ]);
    expect(judged.reasons).toEqual([expect.stringMatching(/^closer: begin at arm’s length/)]);
  });

  it('refuses a print that is held closer', async () => {
    const { client, session_id, frames } = await closerSession();
    const picture = await drawnFace({ person: 'ani' });
    const { mesh } = await faceIn(engine, picture, ['mesh']);
    const print = await flatOf(picture, faceUnit(mesh!));
    const held = async (away: number, roll: number) =>
      (await photograph(print, { away, scale: 8 / away, roll, pitch: roll })).toString('base64');
    const shown = frames.map(async ({ step, image }, i) => {
      if (step === 'face front') return { step, image: await held(8, i) };
      return { step, image: step === 'face closer' ? await held(4.4, 3) : image };
    });
    const { liveness, reasons } = await submitFrames(client, session_id, await Promise.all(shown));
    expect(liveness).toBe('failed');
    expect(reasons).toContainEqual(expect.stringMatching(/^closer:/));
  });

  it('refuses a person who does not come closer, as a step', async () => {
    const { client, session_id, frames } = await closerSession();
    const image = await ani.frame('face front', 5);
    const judged = await submitFrames(client, session_id, [
      ...frames.slice(0, -1),
      { step: 'face closer', image },
    ]);
    expect(judged.reasons).toEqual([expect.stringMatching(/^step: steps\[4\]/)]);
    expect(judged.results!.at(-1)).toMatchObject({ step: 'face closer', match: false });
  });
});
