import { expect, it } from 'vitest';
import { createThresholds } from '../../services/recognition/thresholds.ts';
import { comparedView, identifiedView, verifiedView } from './face.ts';
import { batchView, singleView } from './liveness.ts';

it('numbers of sixteen digits are cut on the wire', () => {
  const similarity = 0.9261381533505894;
  const judged = { similarity, masker: false, verified: true, threshold: 0.625 };
  expect(verifiedView({ userName: 'Sri', ...judged }).similarity).toBe(0.9261);
  expect(comparedView(judged).similarity).toBe(0.9261);
  const sri = { userId: '1', userName: 'Sri', confidence: similarity, mask: false };
  expect(identifiedView([sri]).return[0]?.confidence_level).toBe(0.9261);

  const shown = { yaw: -11.99912, left_eye_score: 0.99999, mouth: 'open' as const, masker: true };
  const cut = { yaw: -11.99, left_eye_score: 0.9999, mouth: 'open', masker: true };
  const single = { liveness: 'failed', confidence: 1.27e-12, verified: undefined, matchStatus: {} } as const;
  expect(singleView({ ...single, results: shown })).toEqual({
    liveness: 'failed',
    confidence_level: 0,
    match_status: {},
    results: cut,
  });
  const entry = { ...shown, match: true };
  expect(batchView({ liveness: 'passed', reasons: [], results: [entry] }).results).toEqual({
    image1: { ...cut, match: true },
  });
});

it('verified does not contradict the similarity that is shown', () => {
  const settings = { verify: null, identifyFpir: 0.01, spoof: null, card: 0.6, frontAngle: 12 };
  const thresholds = createThresholds({ threshold: 0.625, spoofThreshold: 0.5 }, settings);
  const asked = 0.69031;
  for (const similarity of [0.69029, asked, 0.69032, 0.6904, 0.69039]) {
    const threshold = thresholds.verification(undefined, { threshold: asked });
    const verified = similarity >= threshold;
    const answer = verifiedView({ userName: 'Sri', similarity, masker: false, verified, threshold });
    expect(answer.similarity >= answer.threshold).toBe(answer.verified);
  }
});
