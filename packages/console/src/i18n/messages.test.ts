import { describe, expect, it } from 'vitest';
import { activity } from './activity.ts';
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

describe.each(Object.entries(areas))('the messages of %s', (_, { en, id }) => {
  const names = Object.keys(en) as (keyof typeof en)[];

  it('exist in both languages', () => {
    for (const name of names) {
      expect(textOf(en[name]).trim(), name).not.toBe('');
      expect(textOf(id[name]).trim(), name).not.toBe('');
    }
  });

  it('are translated', () => {
    const same = names.filter(
      (name) => textOf(en[name]) === textOf(id[name]) && textOf(en[name]).includes(' '),
    );
    expect(same.filter((name) => !/^[\d\W]|ms$|HTTP|Client ID/.test(textOf(en[name])))).toEqual([]);
  });
});
