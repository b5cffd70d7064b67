import { expect, it } from 'vitest';
import { createReason, createStepReason, diagnosticsOf, reasonTexts } from './reasons.ts';

const reasons = [
  createStepReason('steps[1]', 'do "face left" clearly', 'no frame shows "face left"'),
  createReason(
    'person',
    'frames[3] shows a face that does not match frames[0]',
    'similarity 0.31, at least 0.45',
  ),
  createReason(
    'person',
    'frames[4] shows a face that does not match frames[0]',
    'similarity 0.22, at least 0.45',
  ),
  createReason('repeat', 'frames[1] and frames[2] are the same picture, sent for different steps'),
];

it('callers read what to do, without figures and without the frame that gave it away, each text once', () => {
  const texts = reasonTexts(reasons);
  expect(texts.map((text) => text.split(':')[0])).toEqual(['step', 'person', 'repeat']);
  expect(texts[0]).toBe('step: steps[1]: do "face left" clearly');
  for (const text of texts.slice(1)) expect(text).not.toMatch(/\d|frames/);
});

it('diagnostics have every finding with its figures', () => {
  expect(diagnosticsOf(reasons)).toEqual([
    { name: 'step', detail: 'steps[1]: no frame shows "face left"' },
    {
      name: 'person',
      detail: 'frames[3] shows a face that does not match frames[0] (similarity 0.31, at least 0.45)',
    },
    {
      name: 'person',
      detail: 'frames[4] shows a face that does not match frames[0] (similarity 0.22, at least 0.45)',
    },
    { name: 'repeat', detail: 'frames[1] and frames[2] are the same picture, sent for different steps' },
  ]);
});
