import { describe, expect, it } from 'vitest';
import { type Entry, logged, type Shown, type Sight, shownAfter, waitAfter } from './door.ts';

const ani = { user_id: 'p-1', user_name: 'Ani' };
const yes: Sight = { kind: 'yes', people: [ani], notRecognised: 0 };
const mixed: Sight = { kind: 'yes', people: [ani], notRecognised: 1 };
const no: Sight = { kind: 'no' };
const nobody: Sight = { kind: 'nobody' };
/** Noon of some day. */
const noon = new Date(2026, 0, 31, 12).getTime();

describe('the door', () => {
  const before: Shown = { sight: nobody, refused: 0 };
  const after = (...sights: Sight[]) => sights.reduce<Shown>(shownAfter, before).sight.kind;

  it('shows a name at once, and no longer than the picture: in an empty room and beside a stranger it is another’s', () => {
    expect(after(yes)).toBe('yes');
    expect(after(yes, nobody)).toBe('nobody');
    expect(after(yes, no)).toBe('nobody');
    expect(after(yes, no, no)).toBe('no');
    expect(after(no, no, nobody)).toBe('nobody');
  });

  it('says no after two pictures', () => {
    expect(after(no)).toBe('nobody');
    expect(after(no, nobody, no)).toBe('nobody');
    expect(after(no, no)).toBe('no');
    expect(after(no, no, yes)).toBe('yes');
  });

  it('shows a stranger beside somebody at once, and has one in the log after two pictures', () => {
    const first = shownAfter(before, mixed);
    expect(first.sight).toBe(mixed);
    const names = (shown: Shown) => logged([], shown, noon).map(({ person }) => person?.user_name);
    expect(names(first)).toEqual(['Ani']);
    expect(names(shownAfter(first, mixed))).toEqual([undefined, 'Ani']);
    expect(names(shownAfter(first, yes))).toEqual(['Ani']);
  });

  it('asks a server that is away or busy every two seconds, and one that refuses ever less', () => {
    const waits = (why: 'unreachable' | 'refused') =>
      [1, 2, 3, 9].map((failures) => waitAfter(why, failures));
    expect(waits('unreachable')).toEqual([500, 1_000, 2_000, 2_000]);
    expect(waits('refused')).toEqual([500, 1_000, 2_000, 30_000]);
    expect(waitAfter('busy', 1, 12_000)).toBe(12_000);
  });
});

describe('the log of the day', () => {
  const after = (...sights: [ms: number, sight: Sight][]) =>
    sights.reduce<readonly Entry[]>((log, [ms, sight]) => {
      const refused = sight.kind === 'no' ? 2 : 0;
      return logged(log, { sight, refused }, noon + ms);
    }, []);

  it('has one entry for somebody who stays, and another for one who comes back', () => {
    expect(after([0, yes], [30_000, yes], [80_000, nobody], [89_000, yes])).toEqual([
      { at: noon, until: noon + 89_000, person: ani },
    ]);
    expect(after([0, yes], [60_000, yes]).map(({ at }) => at - noon)).toEqual([60_000, 0]);
  });

  it('has one entry for each person of a picture, and for somebody unknown', () => {
    const both: Sight = {
      kind: 'yes',
      people: [ani, { user_id: 'p-2', user_name: 'Budi' }],
      notRecognised: 0,
    };
    expect(after([0, both], [100, no]).map(({ person }) => person?.user_name)).toEqual([
      undefined,
      'Budi',
      'Ani',
    ]);
  });

  it('forgets the day before', () => {
    expect(after([0, yes], [24 * 3_600_000, nobody])).toEqual([]);
  });
});
