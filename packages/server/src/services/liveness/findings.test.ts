import type { Angle } from '@wajah/contract';
import type { Face } from '@wajah/engine';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EnrolledPerson } from '../galleries/ports.ts';
import { angleEvidence, angleMargin, angleOf, eyesAre, eyesEvidence, verify } from './findings.ts';

const names: Angle[] = ['face front', 'face left', 'face right', 'face up', 'face down'];
const pose = fc.record({
  yaw: fc.double({ min: -90, max: 90, noNaN: true }),
  pitch: fc.double({ min: -90, max: 90, noNaN: true }),
  roll: fc.constant(0),
});

describe('the direction of a head', () => {
  it.each([
    [0, 0, 'face front'],
    [11.9, -11.9, 'face front'],
    [12, 0, 'face left'],
    [-12, 11.9, 'face right'],
    [30, 40, 'face up'],
    [-30, -40, 'face down'],
    [40, -30, 'face left'],
    [20, 20, undefined],
    [-12, 12, undefined],
  ])('yaw %d, pitch %d is %s', (yaw, pitch, name) => {
    expect(angleOf({ yaw, pitch, roll: 0 })).toBe(name);
  });

  it('is the direction whose margin is the only positive one', () => {
    fc.assert(
      fc.property(pose, (head) => {
        const inside = names.filter((name) => angleMargin(head, name) > 0);
        expect(inside.length).toBeLessThanOrEqual(1);
        if (inside.length === 1) expect(angleOf(head)).toBe(inside[0]);
      }),
    );
  });

  it('is mirrored with the head', () => {
    const mirrored = { 'face left': 'face right', 'face right': 'face left' } as Record<string, string>;
    fc.assert(
      fc.property(pose, (head) => {
        const name = angleOf(head);
        expect(angleOf({ ...head, yaw: -head.yaw })).toBe(name && (mirrored[name] ?? name));
      }),
    );
  });

  it('has probability 0.5 on the border and almost 1 far inside', () => {
    const head = (yaw: number) => ({ yaw, pitch: 0, roll: 0 });
    expect(angleEvidence(head(12), 'face left')).toBeCloseTo(0.5);
    expect(angleEvidence(head(30), 'face left')).toBeGreaterThan(0.99);
    expect(angleEvidence(head(-30), 'face left')).toBeLessThan(0.01);
    expect(angleEvidence(head(0), 'face front')).toBeGreaterThan(0.99);
  });
});

describe('eyes', () => {
  const eyes = (left: 'open' | 'closed', right: 'open' | 'closed') => ({
    left: { state: left, score: 0.9 },
    right: { state: right, score: 0.8 },
  });

  it('are open when both are, closed when both are, and neither when one is', () => {
    expect([eyesAre(eyes('open', 'open'), 'open'), eyesAre(eyes('closed', 'closed'), 'closed')]).toEqual([
      true,
      true,
    ]);
    for (const asked of ['open', 'closed'] as const) {
      expect(eyesAre(eyes('open', 'closed'), asked)).toBe(false);
      expect(eyesAre(eyes('closed', 'open'), asked)).toBe(false);
    }
  });

  it('have the probability of the required state', () => {
    expect(eyesEvidence(eyes('open', 'open'), 'open')).toBeCloseTo(0.72);
    expect(eyesEvidence(eyes('open', 'open'), 'closed')).toBeCloseTo(0.02);
    expect(eyesEvidence(eyes('open', 'closed'), 'open')).toBeCloseTo(0.18);
  });
});

describe('the face of a session', () => {
  const verified = (similarity: number, unclear: readonly string[]) => {
    const person = { similarity: () => similarity } as unknown as EnrolledPerson;
    const rules = unclear.map((name) => ({ name, value: 1, limit: 0.5, unit: '', reason: '' }));
    const face = { embedding: new Float32Array(1), unclear: rules } as unknown as Face;
    const { holds, reason } = verify(person, face, { verification: () => 0.625 });
    return [holds, reason && `${reason.name}: ${reason.finding}`, reason ? reason.figures : undefined];
  };

  it('matches a person, or does not, and matches nobody where it is unclear, whatever the similarity', () => {
    const figures = 'similarity 0.3100, threshold 0.6250';
    expect(verified(0.99, [])).toEqual([true, false, undefined]);
    expect(verified(0.31, [])).toEqual([false, 'user: the face does not match user_id', figures]);
    const unclear = [false, 'quality: too unclear to compare with user_id: blurred, dark', undefined];
    for (const similarity of [0.31, 0.99]) {
      expect(verified(similarity, ['blurred', 'dark'])).toEqual(unclear);
    }
  });
});
