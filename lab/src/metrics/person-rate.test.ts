import { describe, expect, it } from 'vitest';
import { exactInterval } from './bounds.ts';
import { personRate } from './person-rate.ts';

describe('the rate with one vote for each person', () => {
  it('is the exact interval where each person has one trial', () => {
    const people = Array.from({ length: 20 }, (_, i) => ({ events: i < 3 ? 1 : 0, trials: 1 }));
    const { low, high } = exactInterval(3, 20);
    expect(personRate(people)).toEqual({ rate: 0.15, people: 20, low, high });
  });

  it('does not change with the number of trials of a person', () => {
    const few = [
      { events: 1, trials: 2 },
      { events: 0, trials: 3 },
    ];
    const many = [
      { events: 50, trials: 100 },
      { events: 0, trials: 300 },
    ];
    expect(personRate(many)).toEqual(personRate(few));
    expect(personRate(few).rate).toBe(0.25);
  });

  it('bounds a rate without events, or without exceptions, by the number of people', () => {
    expect(personRate([{ events: 0, trials: 50 }])).toEqual({ rate: 0, people: 1, low: 0, high: 0.975 });
    expect(personRate([{ events: 50, trials: 50 }])).toMatchObject({
      rate: 1,
      low: expect.closeTo(0.025),
      high: 1,
    });
  });

  it('bounds the rate of far less than one event', () => {
    const three = Array.from({ length: 3 }, () => ({ events: 0, trials: 200 }));
    const rare = personRate([...three, { events: 1, trials: 200 }]);
    expect(rare).toMatchObject({ low: 0, high: expect.closeTo(0.604) });
    const frequent = personRate([
      { events: 199, trials: 200 },
      ...three.map(() => ({ events: 200, trials: 200 })),
    ]);
    expect(frequent).toMatchObject({ low: expect.closeTo(0.396), high: 1 });
  });

  it('needs people with trials', () => {
    expect(() => personRate([])).toThrow(RangeError);
    expect(() => personRate([{ events: 0, trials: 0 }])).toThrow(RangeError);
  });
});
