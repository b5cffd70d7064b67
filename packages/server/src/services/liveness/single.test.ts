import type { RequestOf } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { drawnFace, drawnPicture } from '../../../../engine/test/drawn/drawn-face.ts';
import { hasPadFiles, openPadEngine } from '../../../../engine/test/support/pad-pack.ts';
import { base64 } from '../../../test/support/requests.ts';
import { openStand } from '../../../test/support/stand.ts';

const stand = await openStand();
const acme = await stand.registered('acme');
const ani = await base64(drawnFace({ person: 'ani' }));
const asleep = await base64(drawnFace({ person: 'ani', leftEye: 'closed', rightEye: 'closed' }));
const winking = await base64(drawnFace({ person: 'ani', leftEye: 'closed' }));
const masked = await base64(drawnFace({ person: 'ani', mask: true }));
const shouting = await base64(drawnFace({ person: 'ani', mouth: 'open' }));

function single(image: string, required: RequestOf<'verifyLiveness'>['faceParameters'], at = stand) {
  return at.services.liveness.single(acme, { image, faceParameters: { spoofDetection: false, ...required } });
}

describe('the state of a face', () => {
  it.each([
    ['open eyes', () => ani, { eyes: 'open' }, true],
    ['open eyes', () => asleep, { eyes: 'open' }, false],
    ['closed eyes', () => asleep, { eyes: 'closed' }, true],
    ['open eyes', () => winking, { eyes: 'open' }, false],
    ['closed eyes', () => winking, { eyes: 'closed' }, false],
    ['a closed mouth', () => ani, { mouth: 'closed' }, true],
    ['an open mouth', () => shouting, { mouth: 'open' }, true],
    ['a closed mouth', () => shouting, { mouth: 'closed' }, false],
    ['the front', () => ani, { angle: 'face front' }, true],
    ['the left', () => ani, { angle: 'face left' }, false],
    ['an open mouth', () => masked, { mouth: 'open' }, false],
    ['a closed mouth', () => masked, { mouth: 'closed' }, false],
  ] as const)('%s: %#', async (_, image, asked, holds) => {
    const answer = await single(image(), asked);
    expect(answer.matchStatus).toEqual({ [Object.keys(asked)[0]!]: holds });
    expect(answer.liveness).toBe(holds ? 'passed' : 'failed');
    if (holds) expect(answer.confidence).toBeGreaterThan(0.5);
    else expect(answer.confidence).toBeLessThan(0.5);
  });

  it("is answered with all attributes, by the person's own sides", async () => {
    const { results, verified, matchStatus } = await single(winking, { mouth: 'closed' });
    expect(results).toEqual({
      masker: false,
      roll: expect.any(Number),
      pitch: expect.any(Number),
      yaw: expect.any(Number),
      left_eye: 'closed',
      right_eye: 'open',
      left_eye_score: expect.any(Number),
      right_eye_score: expect.any(Number),
      mouth: 'closed',
      mouth_score: expect.any(Number),
    });
    expect([verified, matchStatus]).toEqual([undefined, { mouth: true }]);
  });
});

describe('presentation attacks', () => {
  it.skipIf(!hasPadFiles)(
    'are judged by the threshold of the server: at or above it is a spoof',
    async () => {
      const engine = await openPadEngine();
      const asked = { eyes: 'open', spoofDetection: true } as const;
      for (const [threshold, isSpoof] of [
        ['0', true],
        ['1', false],
      ] as const) {
        const at = await openStand({ WAJAH_SPOOF_THRESHOLD: threshold }, { engine });
        const { matchStatus, results } = await single(ani, asked, at);
        expect(matchStatus).toMatchObject({ is_real: !isSpoof });
        expect(results).toMatchObject({ isSpoof, spoofVerdict: isSpoof ? 'attack' : 'bona_fide' });
      }
      await engine.close();
    },
  );
});

it('a picture without a face, or with one too small, is refused', async () => {
  const image = await base64(drawnPicture({ width: 300, height: 300, faces: [] }));
  await expect(single(image, { eyes: 'open' })).rejects.toMatchObject({ status: 'faceNotDetected' });
  const faces = [{ x: 150, y: 150, size: 62 }];
  const tiny = await base64(drawnPicture({ width: 300, height: 300, faces }));
  await expect(single(tiny, { eyes: 'open' })).rejects.toMatchObject({ status: 'faceTooSmall' });
});

it('a batch ends when the caller disconnects', async () => {
  const gone = stand.caller('acme', AbortSignal.abort());
  const item = {
    faceParameter: 'face front',
    image: ani,
    spoofDetection: false,
    faceVerification: false,
  } as const;
  const judging = stand.services.liveness.batch(gone, { batch: [item] });
  await expect(judging).rejects.toMatchObject({ code: 'aborted' });
});
