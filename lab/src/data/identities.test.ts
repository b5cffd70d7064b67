import { describe, expect, it } from 'vitest';
import { identitiesOf } from './identities.ts';

const picture = (file: string, identity: string) => ({ file, identity });
const pair = (a: string, b: string, same: boolean) => ({ a, b, same, subset: 's' });

describe('identities', () => {
  const pictures = ['1', '2', '3', '4', '5'].map((file) => picture(file, 'folder'));

  it('are the names of the manifest where no pair says otherwise', () => {
    const pairs = [pair('1', '2', true), pair('3', '9', false)];
    expect(identitiesOf(pictures, pairs)).toEqual(Array(5).fill('folder'));
  });

  it('are those that pairs link where a name stands for several people', () => {
    const pairs = [pair('1', '2', false), pair('2', '5', true), pair('4', '5', true), pair('1', '3', false)];
    const [one, two, three, four, five] = identitiesOf([...pictures, picture('6', 'else')], pairs);
    expect(two).toBe(four);
    expect(two).toBe(five);
    expect(new Set([one, two, three]).size).toBe(3);
  });
});
