import type { LivenessRequest } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { drawnFace, drawnPicture } from '../../../../engine/test/drawn/drawn-face.ts';
import { hasPadFiles, openPadEngine } from '../../../../engine/test/support/pad-pack.ts';
import { base64 } from '../../../test/support/requests.ts';
import { openStand, type Stand } from '../../../test/support/stand.ts';
import { unjudgedDetail } from '../../config/notices.ts';

const facegalleryId = 'acme@trial';

const stand = await openStand();
const acme = await stand.registered('acme');
const ani = await base64(drawnFace({ person: 'ani' }));
const asleep = await base64(drawnFace({ person: 'ani', leftEye: 'closed', rightEye: 'closed' }));
const winking = await base64(drawnFace({ person: 'ani', leftEye: 'closed' }));
const masked = await base64(drawnFace({ person: 'ani', mask: true }));
const shouting = await base64(drawnFace({ person: 'ani', mouth: 'open' }));
await stand.enrol(acme, 'u1', 'Ani', ani);

type Parameters = LivenessRequest['faceParameters'];
type User = Partial<Pick<LivenessRequest, 'facegalleryId' | 'userId'>>;

function single(image: string, required: Parameters, { at = stand, ...user }: { at?: Stand } & User = {}) {
  const faceParameters = { spoofDetection: false, ...required };
  return at.services.liveness.single(acme, { image, faceParameters, ...user });
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
  it('do not pass a check that no network judges, unless the operator accepts that by hand', async () => {
    const lenient = await openStand({ WAJAH_UNCLEAR_SPOOF: 'accept' });
    const asked = { eyes: 'open', spoofDetection: true } as const;
    for (const at of [stand, await openStand({ WAJAH_UNCLEAR_SPOOF: 'refuse' })]) {
      expect(await single(ani, asked, { at })).toMatchObject({
        liveness: 'failed',
        matchStatus: { is_real: false, eyes: true },
        results: { isSpoof: true, spoofScore: 0.5, spoofVerdict: 'unclear' },
        detail: unjudgedDetail,
      });
    }
    const accepted = await single(ani, asked, { at: lenient });
    expect(accepted).toMatchObject({
      liveness: 'passed',
      matchStatus: { is_real: true },
      results: { isSpoof: false, spoofScore: 0.5, spoofVerdict: 'unclear' },
    });
    expect(accepted).not.toHaveProperty('detail');
    const unasked = await single(ani, { eyes: 'open' });
    expect(unasked).toMatchObject({ liveness: 'passed' });
    expect(unasked).not.toHaveProperty('detail');
    expect(accepted.confidence).toBeCloseTo(unasked.confidence * (1 - accepted.results.spoofScore!), 9);
  });

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
        const { matchStatus, results } = await single(ani, asked, { at });
        expect(matchStatus).toMatchObject({ is_real: !isSpoof });
        expect(results).toMatchObject({ isSpoof, spoofVerdict: isSpoof ? 'attack' : 'bona_fide' });
      }
      await engine.close();
    },
  );
});

describe('a named user', () => {
  it('an unknown user is refused before the picture is analysed', async () => {
    const none = { facegalleryId, userId: 'u9' };
    await expect(single('*', {}, none)).rejects.toMatchObject({ status: 'userNotFound' });
    const nowhere = { facegalleryId: 'nowhere', userId: 'u1' };
    await expect(single('*', {}, nowhere)).rejects.toMatchObject({ status: 'galleryNotFound' });
  });
});

it('a picture without a face, or with one too small, is refused', async () => {
  const image = await base64(drawnPicture({ width: 300, height: 300, faces: [] }));
  await expect(single(image, { eyes: 'open' })).rejects.toMatchObject({ status: 'faceNotDetected' });
  const faces = [{ x: 150, y: 150, size: 62 }];
  const tiny = await base64(drawnPicture({ width: 300, height: 300, faces }));
  await expect(single(tiny, { eyes: 'open' })).rejects.toMatchObject({ status: 'faceTooSmall' });
});
