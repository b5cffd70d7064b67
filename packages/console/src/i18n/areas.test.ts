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

const told = (word: unknown) => (typeof word === 'function' ? String(word('7', '8')) : String(word));

describe.each(Object.entries(areas))('the words of %s', (_, { en, id }) => {
  const names = Object.keys(en) as (keyof typeof en)[];

  it('say something in both languages', () => {
    for (const name of names) {
      expect(told(en[name]).trim(), name).not.toBe('');
      expect(told(id[name]).trim(), name).not.toBe('');
    }
  });

  it('are sentences of that language', () => {
    const same = names.filter((name) => told(en[name]) === told(id[name]) && told(en[name]).includes(' '));
    expect(same.filter((name) => !/^[\d\W]|ms$|HTTP|Client ID/.test(told(en[name])))).toEqual([]);
  });
});
