import { expect, it } from 'vitest';
import { nestedSections, type ScoredFrame } from './nested.ts';

const frame = (person: string, score: number, attack = false): ScoredFrame => ({
  person,
  collection: person,
  species: attack ? 'phone' : null,
  framing: 'frame',
  verdict: 'bona fide',
  score,
  networks: [{ name: 'near', score }],
});
const of = (person: string, scores: readonly number[], attack = false) =>
  scores.map((score) => frame(person, score, attack));
const figuresOf = (frames: readonly ScoredFrame[], title: string) =>
  nestedSections(frames)
    .find((section) => section.title === title)
    ?.figures.map(({ share }) => share?.events);

it('a threshold is not chosen on those to whom it is applied', () => {
  // The threshold of all would refuse nobody: it would lie above the scores of b.
  const frames = [...of('a', [0.01, 0.02]), ...of('b', [0.3, 0.35]), ...of('c', [0.2], true)];
  expect(figuresOf(frames, 'Single frames')).toEqual([0, 1, 2, 1]);
});

it('means are of frames of one person, and of people who have enough of them', () => {
  const frames = [...of('a', [0.1, 0.1, 0.1]), ...of('b', [0.9, 0.9, 0.9]), ...of('c', [0.9, 0.9], true)];
  expect(figuresOf(frames, 'Means of 3 frames')?.slice(0, 2)).toEqual([200, undefined]);
  expect(figuresOf(frames, 'Means of 5 frames')).toBeUndefined();
});

it('means are of frames with a verdict', () => {
  const unclear = of('b', [0.9, 0.9, 0.9]).map((one): ScoredFrame => ({ ...one, verdict: 'unclear' }));
  const frames = [...of('a', [0.1, 0.1, 0.1]), ...unclear];
  expect(figuresOf(frames, 'Means of 3 frames')?.[0]).toBe(0);
});

it('crops, generated faces and pictures without a face do not count', () => {
  const others: ScoredFrame[] = [
    { ...frame('d', 0.9), framing: 'crop' },
    { ...frame('e', 0.9), score: null },
    { ...frame('f', 0.1), species: 'generated' },
  ];
  expect(figuresOf([...of('a', [0.1]), ...of('b', [0.1]), ...others], 'Single frames')).toEqual([
    0,
    undefined,
    0,
    undefined,
  ]);
});

it('the report ends with the number of decisions that were taken on dev', () => {
  const last = nestedSections(of('a', [0.1])).at(-1)!;
  expect(last.figures[0]).toMatchObject({ what: 'decisions taken on dev', value: '17' });
});
