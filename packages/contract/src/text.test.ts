import { expect, it } from 'vitest';
import { findFault, normaliseName } from './text.ts';

it.each(['\u00a0', '\u3000', '\u202f', '\u2003'])('%j in a name is a blank', (blank) => {
  expect(normaliseName(`${blank}Siti${blank}Nur `)).toBe('Siti Nur');
});

it.each([
  ...['\u00ad', '\u034f', '\u115f', '\u1160', '\u3164', '\uffa0', '\u180e', '\u200b', '\ufe00', '\ufe0f'],
  ...['\u2063', '\u206f', '\u17b4', '\u2800', '\ufff9', '\u{e0001}', '\u{e0100}'],
])('%j in a name is refused', (character) => {
  expect(findFault(normaliseName(`d${character}2`), 120)).toMatchObject({ place: 2 });
});

it('what scripts and pictograms need is allowed', () => {
  for (const name of [
    'Siti Nur\u200chaliza',
    '\u0915\u094d\u200d\u0937',
    '\u0645\u06cc\u200c\u062e',
    'Budi \u2764\ufe0f',
    '\u845b\u{e0100}',
  ])
    expect(findFault(name, 120)).toBeNull();
});
