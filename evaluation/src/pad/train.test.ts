import { PAD_SIGNALS } from '@wajah/engine/training';
import { describe, expect, it } from 'vitest';
import { rocArea } from '../metrics/scores.ts';
import { seeded } from '../recapture/random.ts';
import { collectionWeights, type PadExample } from './examples.ts';
import { readExamples, writtenExamples } from './features-file.ts';
import { weightsFile } from './file.ts';
import { trainPad } from './train.ts';

/** Bona fide and attacked faces whose values are chance, but for the moiré and the networks' odds of attacks. */
function someExamples(): PadExample[] {
  return Array.from({ length: 24 }, (_, i) => {
    const random = seeded(`row ${i}`);
    const attack = i % 3 === 0;
    const values: Record<string, number[]> = Object.fromEntries(
      PAD_SIGNALS.map((signal) => [signal.name, signal.values.map(() => random.normal())]),
    );
    values['moire'] = [Math.max(0, random.normal() + (attack ? 3 : -1))];
    values['nets'] = [attack ? 3 : -3];
    const about = { collection: `collection ${i % 2}`, person: `person ${i}`, source: 'frame' } as const;
    return {
      ...about,
      values,
      attack,
      species: attack ? 'phone' : 'bona fide',
      split: 'dev',
      name: `pad/${i}`,
    };
  });
}

describe('trainPad', () => {
  const examples = someExamples();
  const model = trainPad(examples);
  const areaOf = (odds: Float64Array) => {
    const of = (attack: boolean) => odds.filter((_, i) => examples[i]!.attack === attack);
    return rocArea(of(true), of(false));
  };

  it('scores each example by fits without its collection', () => {
    expect(areaOf(model.regressions['moire']!)).toBeGreaterThan(0.9);
    expect(areaOf(model.regressions['look and scene']!)).toBeLessThan(0.9);
    expect(areaOf(model.withNetworks.leftOut)).toBeGreaterThan(areaOf(model.own.leftOut) - 1e-9);
  });

  it('refuses at most the intended share of people at the thresholds', () => {
    const limit = Math.log(model.own.threshold / (1 - model.own.threshold));
    const refused = examples.filter(({ attack }, i) => !attack && model.own.leftOut[i]! >= limit);
    expect(refused.length / 16).toBeLessThanOrEqual(0.05);
  });

  it('writes what the engine needs', () => {
    const file = JSON.parse(weightsFile(model, { data: 'chance' }));
    expect(Object.keys(file.cues)).toEqual(['look', 'scene', 'spectrum', 'moire', 'surroundings', 'nets']);
    expect(file.cues.moire.weights).toHaveLength(1);
    expect(file.cues.moire.weights[0]).toBeGreaterThan(0);
    expect(file.fusion.weights.nets).toBeUndefined();
    expect(file.fusion.sessionThreshold).toBeLessThanOrEqual(file.fusion.threshold);
    expect(file.fusionWithNets.weights.nets).toBeGreaterThan(0);
  });
});

it('weights of a collection and label grow with the root of their number', () => {
  const [first] = someExamples();
  const of = (count: number, collection: string) =>
    Array.from({ length: count }, () => ({ ...first!, collection }));
  const weights = collectionWeights([...of(4, 'small'), ...of(16, 'large')], 1);
  const sum = (some: Float64Array) => some.reduce((total, weight) => total + weight, 0);
  expect(sum(weights.subarray(0, 4))).toBeCloseTo(2, 9);
  expect(sum(weights.subarray(4))).toBeCloseTo(4, 9);
});

it('a file of measured values keeps them, unknown ones too', () => {
  const [example] = someExamples();
  const unknown = { ...example!, values: { moire: [Number.NaN], nets: [1.25] } };
  expect(readExamples(writtenExamples([unknown]))).toEqual([unknown]);
});
