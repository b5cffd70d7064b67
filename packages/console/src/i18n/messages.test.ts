import { describe, expect, it } from 'vitest';
import { activity } from './activity.ts';
import type { Area } from './area.ts';
import { common } from './common.ts';
import { figures } from './figures.ts';
import { galleries } from './galleries.ts';
import { keys } from './keys.ts';
import { liveness } from './liveness.ts';
import { login } from './login.ts';
import { reference } from './reference.ts';
import { system } from './system.ts';
import { tryIt } from './try-it.ts';

const areas = { activity, common, figures, galleries, keys, liveness, login, reference, system, tryIt };

const textOf = (message: unknown) =>
  typeof message === 'function' ? String(message('7', '8')) : String(message);

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
