import { similarityOf } from '@wajah/engine';
import { describe, expect, it } from 'vitest';
import { seeded } from '../recapture/random.ts';
import { calibrationFrom } from './calibration.ts';
import { enrolmentSections } from './enrolment.ts';
import { identificationSections } from './identification.ts';
import { packSections } from './packs.ts';
import type { Sample } from './templates.ts';
import { calibrationFigures, scoresOf, verificationSections } from './verification.ts';

const contract = {
  pack: 'p',
  version: '1',
  embedder: 'e',
  alignment: 'a',
  dimensions: 16,
  normalisation: 'l2',
};

/** People as directions drawn at random, their pictures near them. */
function crowd(people: number, pictures: number, apart = 0.3): Sample[] {
  const { normal } = seeded('people');
  const unit = (values: number[]) => {
    const length = Math.hypot(...values);
    return values.map((value) => value / length);
  };
  return Array.from({ length: people }, (_, i) => {
    const centre = unit(Array.from({ length: 16 }, normal));
    return Array.from({ length: pictures }, (_, k) => ({
      identity: `person ${i}`,
      file: `${i}/${k}`,
      subset: i % 2 === 0 ? 'even' : 'odd',
      region: i < 4 ? 'sea' : null,
      template: Float32Array.from(unit(centre.map((value) => value + (normal() * apart) / 4))),
    }));
  }).flat();
}

const figure = (sections: ReturnType<typeof verificationSections>, title: string, what: RegExp) =>
  sections.find((section) => section.title === title)?.figures.find((one) => what.test(one.what));

describe('verification', () => {
  it('counts all pairs, as a whole and by part', () => {
    const sections = verificationSections(crowd(40, 3), { threshold: 0.625, curve: null });
    expect(sections.map(({ title }) => title)).toEqual([
      'Data',
      'All pairs',
      'Subset even',
      'Subset odd',
      'Region sea',
    ]);
    expect(figure(sections, 'All pairs', /^genuine pairs/)?.value).toBe('120');
    expect(figure(sections, 'All pairs', /^impostor pairs/)?.value).toBe(String((120 * 119) / 2 - 120));
    expect(Number(figure(sections, 'All pairs', /^ROC/)?.value)).toBeGreaterThan(0.99);
  });

  it('counts pictures without a face as errors', () => {
    const samples = crowd(40, 2);
    const blind = samples.map((sample, i) => (i < 10 ? { ...sample, template: null } : sample));
    const missed = (of: Sample[]) =>
      figure(verificationSections(of, { threshold: 0.625, curve: null }), 'All pairs', /FNMR at FMR 1e-1/)
        ?.share;
    expect(missed(samples)).toMatchObject({ events: 0, trials: 40 });
    expect(missed(blind)).toMatchObject({ events: 5, trials: 40 });
    expect(missed(blind)!.high).toBeGreaterThan(5 / 40);
  });

  it('omits figures with too few trials', () => {
    const sections = verificationSections(crowd(3, 2), { threshold: 0.625, curve: null });
    expect(figure(sections, 'All pairs', /FMR 1e-4/)?.value).toBe('–');
  });
});

describe('identification', () => {
  it('finds people in galleries of several sizes, and counts pictures without a face as not found', () => {
    const samples = crowd(60, 3);
    const blind = samples.map((sample, i) => (i % 30 === 2 ? { ...sample, template: null } : sample));
    const sections = identificationSections(blind, { threshold: 0.625, curve: null });
    expect(sections.map(({ title }) => title)).toEqual([
      'Data',
      'Gallery of 10 people',
      'Gallery of 30 people',
      'Gallery of 60 people',
      'Subset even, gallery of 60 people',
      'Subset odd, gallery of 60 people',
      'Region sea, gallery of 60 people',
    ]);
    const all = sections[3]!.figures;
    expect(all[0]).toMatchObject({ value: '120 mated', evidence: '0 non-mated' });
    expect(all[1]?.share).toMatchObject({ events: 6, trials: 120 });
    const thirty = sections[2]!.figures;
    expect(thirty.find(({ what }) => /FPIR 1e-2/.test(what))?.share?.trials).toBeGreaterThan(500);
    const missed = sections.slice(3).map(({ figures }) => figures[1]?.share?.events ?? 0);
    expect(missed[1]! + missed[2]!).toBe(missed[0]);
  });

  it('counts who is not identified with either of two probes', () => {
    const blindTo = (pictures: readonly number[]) =>
      crowd(60, 3).map((sample, i) => (pictures.includes(i) ? { ...sample, template: null } : sample));
    const knots: [number, number][] = [
      [-1, 0],
      [1, -6],
    ];
    const curve = { pack: 'p', evidence: {}, knots };
    const events = (pictures: readonly number[]) =>
      figure(
        identificationSections(blindTo(pictures), { threshold: 0, curve }),
        'Gallery of 30 people',
        /both of two/,
      )!.share!;
    const { events: before, trials } = events([]);
    expect(trials).toBe(300);
    expect(events([1]).events).toBe(before);
    expect(events([1, 2]).events).toBeGreaterThan(before);
  });

  it('of collections with one picture enrolled counts probes without a face as refused', () => {
    const samples = crowd(30, 3).map((sample, i) => ({
      ...sample,
      subset: 'public',
      template: i === 1 ? null : sample.template,
    }));
    const curve = {
      pack: 'p',
      evidence: {},
      knots: [
        [-1, 0],
        [1, -6],
      ] as [number, number][],
    };
    const [only, ...others] = enrolmentSections(samples, { threshold: 0.625, curve });
    expect(others).toEqual([]);
    expect(only?.figures[1]?.share).toMatchObject({ trials: 60 });
    expect(only?.figures[1]?.share?.events).toBeLessThan(60);
    expect(only?.figures.at(-1)?.share?.trials).toBe(60);
  });
});

describe('packs side by side', () => {
  it('have rows of the same parts beside each other', () => {
    const better = { name: 'a 1', samples: crowd(60, 3, 0.2) };
    const worse = { name: 'b 1', samples: crowd(60, 3, 1) };
    const sections = packSections([better, worse]).filter(({ table }) => /all pairs$/.test(table!.title));
    expect(sections.slice(0, 2).map(({ table }) => table?.row)).toEqual(['all, a 1', 'all, b 1']);
    const missed = sections.map(({ figures }) => figures.find(({ what }) => /FMR 1e-2/.test(what))?.share);
    expect(missed[0]!.events).toBeLessThan(missed[1]!.events);
  });
});

describe('calibration', () => {
  it('fits a curve whose claimed FMR holds on other pictures, and reports its range', () => {
    const samples = crowd(400, 1);
    const { calibration, figures } = calibrationFrom(contract, samples, null);
    expect(calibration.contract).toEqual(contract);
    expect(figures.find(({ what }) => what === 'measured up to similarity')?.value).toMatch(/^0\.[5-9]/);
    const { impostor } = scoresOf(samples);
    const at = impostor[impostor.length - Math.round(impostor.length / 100)]!;
    expect(similarityOf(calibration.curve, at)).toBeCloseTo(0.5, 2);
    for (const { value, evidence } of calibrationFigures(samples, calibration.curve).slice(0, 3)) {
      if (value !== '–')
        expect(Math.abs(Number(/[+−]([\d.]+) decades/.exec(evidence)?.[1]))).toBeLessThan(0.1);
    }
  });

  it('refuses too few pictures with how many are needed', () => {
    expect(() => calibrationFrom(contract, crowd(20, 2), null)).toThrow(
      /^760 impostor pairs .* 250 pictures/,
    );
  });
});
