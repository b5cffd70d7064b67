import { describe, expect, it } from 'vitest';
import { speciesOf } from './presentation.ts';
import { presentationSections } from './report.ts';
import { type Response, verdictOf } from './response.ts';

const base: Response = {
  task: 'pad',
  file: 'x.jpg',
  species: null,
  camera: 'other',
  framing: 'frame',
  person: 'p',
  collection: 'one',
  verdict: 'bona fide',
  score: 0.1,
  networks: [],
};

function some(count: number, fields: Partial<Response>): Response[] {
  return Array.from({ length: count }, () => ({ ...base, ...fields }));
}

const passed = { verdict: 'bona fide', score: 0.2 } as const;
const caught = { verdict: 'attack', score: 0.9 } as const;
const responses: Response[] = [
  ...some(3, { species: 'phone', person: 'a', ...caught }),
  ...some(1, { species: 'phone', person: 'b', ...passed }),
  ...some(1, { species: 'print', person: 'a', ...passed }),
  ...some(1, { species: 'print', person: 'b', ...caught }),
  ...some(1, { species: 'print', person: 'b', verdict: 'unclear', score: 0.5 }),
  ...some(1, { species: 'print', person: 'c', verdict: 'none', score: null }),
  ...some(1, { species: 'generated', person: 'd', ...passed }),
  ...some(3, { camera: 'webcam', person: 'e', ...passed }),
  ...some(1, { camera: 'webcam', person: 'f', ...caught }),
  ...some(2, { framing: 'crop', person: 'g', collection: 'two' }),
];
const sections = presentationSections(responses, { name: 'of a test', threshold: 0.5 });

function figure(title: RegExp, what: RegExp) {
  return sections.find((one) => title.test(one.title))?.figures.find((one) => what.test(one.what));
}

describe('error rates of presentations', () => {
  it('lead with the species that passes most often, and end with pooled figures', () => {
    expect(sections.map(({ table, title }) => table?.row ?? title)).toEqual([
      'print, frame',
      'phone, frame',
      'generated, frame (no presentation attack)',
      'other, crop',
      'webcam, frame',
      '`one`',
      '`two`',
      'Pooled, of a test (threshold 0.50)',
    ]);
    expect(sections.at(-1)?.figures[0]).toMatchObject({
      what: 'APCER of the worst species, unclear accepted: print',
    });
  });

  it('count pictures with a face, and people in the interval', () => {
    expect(figure(/: print/, /refused$/)).toMatchObject({ value: '33.3 %', share: { events: 1, trials: 3 } });
    expect(figure(/: print/, /accepted$/)?.share).toMatchObject({ events: 2, trials: 3 });
    expect(figure(/: print/, /not detected/)?.share).toMatchObject({ events: 1, trials: 4 });
    expect(figure(/: phone/, /refused$/)?.evidence).toMatch(
      /^1 of 4; 2 people with one vote each: 50\.0 %, /,
    );
    expect(figure(/: webcam/, /^BPCER$/)?.share).toMatchObject({ events: 1, trials: 4 });
  });

  it('do not narrow with more pictures of one person', () => {
    const interval = (count: number) => {
      const [section] = presentationSections(some(count, { species: 'phone', ...caught }), {
        name: '',
        threshold: 0.5,
      });
      return section?.figures[0]?.share;
    };
    expect(interval(1)).toMatchObject({ low: 0, high: expect.closeTo(0.975) });
    expect(interval(50)).toMatchObject({ low: 0, high: expect.closeTo(0.975) });
  });

  it('leave generated faces out of pooled figures, and count unclear attacks as passed where it says so', () => {
    expect(figure(/^Pooled/, /^APCER, unclear refused$/)?.share).toMatchObject({ events: 2, trials: 7 });
    expect(figure(/^Pooled/, /^APCER, unclear accepted$/)?.share).toMatchObject({ events: 3, trials: 7 });
  });

  it('compare attacks with bona fide presentations of the same framing', () => {
    expect(figure(/: phone/, /^ROC area$/)).toMatchObject({ evidence: '4 attack and 4 bona fide pictures' });
    expect(figure(/^Pooled/, /^ROC area, crops$/)).toMatchObject({ value: '–' });
  });
});

it.each([
  ['phone replay', 'phone'],
  ['cut-out paper print', 'print'],
  ['folded paper mask', 'mask'],
  ['screen replay', 'unknown'],
  ['AI-generated face (digital; a print/replay detector is not expected to catch it)', 'generated'],
])('%s is of the species %s', (words, species) => {
  expect(speciesOf(words)).toBe(species);
});

it.each([
  [0.39, [], 'bona fide'],
  [0.4, [], 'attack'],
  [0.5, ['dark'], 'unclear'],
  [0.8, ['dark'], 'attack'],
] as const)('the verdict on %d, unclear for %j, is %s', (score, unclear, verdict) => {
  expect(verdictOf({ score, networks: [{ name: 'near', score }], unclear })).toBe(verdict);
  expect(verdictOf({ score, networks: [], unclear })).toBe('unclear');
});
