import { endpoints, type OwnEndpoint } from '@wajah/contract';
import { expect, it } from 'vitest';
import { createThresholds } from '../../services/galleries/thresholds.ts';
import { cloudScale, ownScale, type Scale } from '../scales.ts';
import { recognitionRoutes } from './faces.ts';
import { livenessRoutes } from './liveness.ts';
import type { Mount } from './ports.ts';

/** What the route of an endpoint answers when its service returns `result`. */
function view(endpoint: { id: string }, result: object, scale = ownScale): Record<string, unknown> {
  const views = new Map<string, (value: object, scale: Scale) => object>();
  const mount = (({ id }: OwnEndpoint, _: unknown, judged?: { view: never }) => {
    if (judged) views.set(id, judged.view);
  }) as Mount;
  const services = { recognition: {}, detection: {}, liveness: {}, livenessSessions: {} };
  recognitionRoutes(mount, services as never);
  livenessRoutes(mount, services as never);
  return { ...views.get(endpoint.id)!(result, scale) };
}

it('similarities and scores are cut to four decimals', () => {
  const similarity = 0.9261381533505894;
  const decision = { masker: false, verified: true, threshold: 0.625 };
  const judged = { ...decision, similarity, own: 0.625 };
  const cutDecision = { ...decision, similarity: 0.9261 };
  expect(view(endpoints.verifyFace, { userName: 'Sri', ...judged })).toEqual({
    user_name: 'Sri',
    ...cutDecision,
  });
  expect(view(endpoints.compareImages, judged)).toEqual(cutDecision);
  const sri = { userId: '1', userName: 'Sri', confidence: similarity, mask: false };
  expect(view(endpoints.identifyFace, { people: [sri], faces: [{}], leftOut: [] })).toMatchObject({
    return: [{ confidence_level: 0.9261 }],
  });

  const results = { yaw: -11.99912, left_eye_score: 0.99999, mouth: 'open', masker: true };
  const cut = { yaw: -11.99, left_eye_score: 0.9999, mouth: 'open', masker: true };
  const single = { liveness: 'failed', confidence: 1.27e-12, verified: undefined, matchStatus: {}, results };
  expect(view(endpoints.verifyLiveness, single)).toEqual({
    liveness: 'failed',
    confidence_level: 0,
    match_status: {},
    results: cut,
  });
  const batch = { liveness: 'passed', reasons: [], results: [{ ...results, match: true }] };
  expect(view(endpoints.verifyLivenessBatch, batch)).toEqual({
    liveness: 'passed',
    results: { image1: { ...cut, match: true } },
  });
});

it('on the scale of the cloud each similarity is beside the threshold of the decision', () => {
  // 0.6876 is two thirds of the way from the decision to the strict point, 0.7188.
  const similarity = 0.68769;
  const judged = { similarity, masker: false, verified: true, threshold: 0.7, own: 0.625 };
  for (const endpoint of [endpoints.verifyFace, endpoints.compareImages]) {
    expect(view(endpoint, { userName: 'Sri', ...judged }, cloudScale)).toMatchObject({ similarity: 0.8834 });
  }
  const sri = { userId: '1', userName: 'Sri', confidence: similarity, mask: false };
  const found = { people: [sri], faces: [{}], leftOut: [], own: 0.625 };
  expect(view(endpoints.identifyFace, found, cloudScale)).toMatchObject({
    return: [{ confidence_level: 0.8834 }],
  });
  const results = { similarity, spoofScore: 0.5, masker: false };
  const single = { liveness: 'passed', confidence: 0.5, threshold: 0.625, matchStatus: {}, results };
  expect(view(endpoints.verifyLiveness, single, cloudScale)).toMatchObject({
    confidence_level: 0.4417,
    results: { similarity: 0.8834, spoof_score: 0.5 },
  });
  const batch = { liveness: 'passed', reasons: [], threshold: 0.625, results: [results, { similarity: 0 }] };
  expect(view(endpoints.verifyLivenessBatch, batch, cloudScale)).toMatchObject({
    results: { image1: { similarity: 0.8834 }, image2: { similarity: 0 } },
  });
  const session = { reasons: [], results: [], verified: { holds: true, similarity, threshold: 0.625 } };
  expect(view(endpoints.submitLivenessSession, session, cloudScale)).toMatchObject({ similarity: 0.8834 });
});

it('verified is consistent with the answered similarity', () => {
  const settings = {
    verify: null,
    identifyFpir: 0.01,
    spoof: null,
    card: 0.6,
    unclearSpoof: 'accept',
  } as const;
  const thresholds = createThresholds({ threshold: 0.625 }, settings);
  const requested = 0.69031;
  for (const similarity of [0.69029, requested, 0.69032, 0.6904, 0.69039]) {
    const threshold = thresholds.verification(undefined, { threshold: requested });
    const verified = similarity >= threshold;
    const decision = { userName: 'Sri', similarity, masker: false, verified, threshold, own: 0.625 };
    const answer = view(endpoints.verifyFace, decision);
    expect(Number(answer['similarity']) >= threshold).toBe(verified);
  }
});
