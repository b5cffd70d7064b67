import { PAD_SIGNALS } from '@wajah/engine/training';
import { describe, expect, it } from 'vitest';
import { long } from '../../../packages/server/test/support/long.ts';
import { rocArea } from '../metrics/scores.ts';
import { seeded } from '../recapture/random.ts';
import type { PadExample } from './examples.ts';
import { weightsFile } from './file.ts';
import { trainPad } from './fusion.ts';

/** Real and attacked faces whose values are chance, but for the moiré of attacks. */
function someRows(): PadExample[] {
  return Array.from({ length: 32 }, (_, i) => {
    const random = seeded(`row ${i}`);
    const positive = i % 4 === 0;
    const values: Record<string, number[]> = Object.fromEntries(
      PAD_SIGNALS.map((signal) => [signal.name, signal.values.map(() => random.normal())]),
    );
    values['moire'] = [Math.max(0, random.normal() + (positive ? 3 : -1))];
    values['nets'] = [random.between(0, 8)];
    const origin = positive ? 'recapture' : 'bona fide';
    return { values, positive, group: `group ${i % 5}`, origin, split: 'dev', name: `spoof/${i}` };
  });
}

/** What is joined without installed nets. */
const BUILT_IN = ['light', 'texture', 'colour', 'spectrum', 'moire', 'look', 'scene'];

describe('trainPad', () => {
  const rows = someRows();
  const model = trainPad(rows);
  const areaOf = (odds: Float64Array) => {
    const of = (attack: boolean) => odds.filter((_, i) => rows[i]!.positive === attack);
    return rocArea(of(true), of(false));
  };

  it('cross-validates every available signal, each row by models fitted without it', () => {
    expect(model.signals.map(({ signal }) => signal.name)).toEqual(PAD_SIGNALS.map(({ name }) => name));
    const area = (name: string) =>
      areaOf(model.signals.find(({ signal }) => signal.name === name)!.outOfFold);
    expect(area('moire')).toBeGreaterThan(0.9);
    expect(area('look')).toBeLessThan(0.8);
  });

  it('joins signals by weights of which none is negative, the largest for the informative one', () => {
    const { weights, outOfFold } = model.fusion;
    expect(Object.keys(weights)).toEqual(BUILT_IN);
    for (const weight of Object.values(weights)) expect(weight).toBeGreaterThanOrEqual(0);
    expect(weights['moire']).toBe(Math.max(...Object.values(weights)));
    expect(areaOf(outOfFold)).toBeGreaterThan(0.85);
    expect(Object.keys(model.fusionWithNetworks.weights)).toEqual([...BUILT_IN, 'nets']);
  });

  it.skipIf(!long)('trains a signal on the examples simulated for it, and no other signal', () => {
    const lessons = Array.from({ length: 40 }, (_, i): PadExample => {
      const random = seeded(`lesson ${i}`);
      const positive = i % 2 === 0;
      const { values } = PAD_SIGNALS.find(({ name }) => name === 'scene')!;
      const scene = values.map(() => random.normal() + (positive ? 1 : -1));
      const about = { origin: positive ? 'simulated print' : 'retaken', split: 'dev' } as const;
      return { ...about, values: { scene }, positive, group: `lesson ${i}`, name: `mask/${i}` };
    });
    const taught = trainPad(rows, lessons);
    for (const { signal, outOfFold, model: learned } of taught.signals) {
      const before = model.signals.find((other) => other.signal === signal)!;
      const sum = (weights: Float64Array) => weights.reduce((total, weight) => total + weight, 0);
      expect(outOfFold).toHaveLength(rows.length);
      if (signal.name === 'scene')
        expect(sum(learned.weights)).toBeGreaterThan(sum(before.model.weights) + 0.1);
      else expect(outOfFold).toEqual(before.outOfFold);
    }
  });

  it('writes what the engine needs', () => {
    const file = JSON.parse(weightsFile(model, [0.512345, 0.6], { data: 'chance' }));
    expect(Object.keys(file.cues)).toEqual([...BUILT_IN, 'nets']);
    expect(file.cues.moire.weights).toHaveLength(1);
    expect(file.fusion.threshold).toBe(0.5124);
  });
});
