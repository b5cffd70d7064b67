import { RECOMMENDED_PAD_PACK } from '@wajah/engine';
import { describe, expect, it } from 'vitest';
import { padNotice } from '../../../server/src/config/pad-notice.ts';
import { activity } from './activity.ts';
import type { Area } from './area.ts';
import { common, login } from './common.ts';
import { enrolment, galleries, people, thresholds } from './galleries.ts';
import { keys } from './keys.ts';
import { liveness } from './liveness.ts';
import { door, recognise } from './recognise.ts';
import { reference } from './reference.ts';
import { system } from './system.ts';
import { figures, tryIt } from './try-it.ts';

const areas = {
  activity,
  common,
  door,
  enrolment,
  figures,
  galleries,
  keys,
  liveness,
  login,
  people,
  recognise,
  reference,
  system,
  thresholds,
  tryIt,
};

const textOf = (message: unknown) =>
  typeof message === 'function' ? String(message('7', '8')) : String(message);

it('the notice of a missing PAD pack names it in both languages, in English in the words of the server', () => {
  const [english, indonesian] = system.padMissing;
  expect(english(padNotice)).toBe(padNotice);
  expect(indonesian()).toContain(RECOMMENDED_PAD_PACK);
});

describe.each(Object.entries<Area>(areas))('the messages of %s', (_, area) => {
  const pairs = Object.entries(area).map(([name, pair]) => [name, pair.map(textOf)] as const);

  it('exist in both languages', () => {
    for (const [name, texts] of pairs) for (const text of texts) expect(text.trim(), name).not.toBe('');
  });

  it('are translated', () => {
    const same = pairs.filter(
      ([, [english = '', indonesian]]) => english === indonesian && english.includes(' '),
    );
    expect(same.filter(([, [text = '']]) => !/^[\d\W]|ms$|HTTP|Client ID/.test(text))).toEqual([]);
  });
});
