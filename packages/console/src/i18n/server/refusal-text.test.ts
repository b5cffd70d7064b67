import { statuses } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { indonesianDetail } from './details.ts';
import { indonesianRefusals } from './refusals.ts';

const numbersOf = (text: string) => text.match(/\d+(\.\d+)?/g) ?? [];

it('every status of the server has a title and advice in Indonesian', () => {
  const known = Object.values(statuses).map(({ status }) => status);
  expect(Object.keys(indonesianRefusals).sort()).toEqual([...new Set(known)].sort());
});

describe('the detail of a refusal', () => {
  it.each([
    'image: no face was found in the picture of 640x480 px; send one that shows the face whole, upright and well lit',
    'image: the face is 62 px, the minimum is 100 px (shorter side of its box); come closer or send a larger picture',
    'image: the face (the largest of 3) is 62 px, the minimum is 100 px (shorter side of its box); come closer',
    'image: nobody in the gallery reaches the threshold: the best similarity is 0.4312, the threshold 0.6250; enrol the person, or send a clearer picture',
    'image: this face is already enrolled in the gallery as user_id "a-1" (similarity 0.9312, threshold 0.6250); delete that face first, or enrol without check_duplicate',
    'image: the face fails 2 of the quality rules: size 62 (limit 100 pixels): The face is too small; move closer.; pose 41.2 (limit 35 degrees): The head is turned away; look into the camera.',
    'found more than 6000 calls in a minute; try again in 12 s',
  ])('keeps names and numbers in Indonesian: %s', (english) => {
    const indonesian = indonesianDetail(english);
    expect(indonesian).not.toBe(english);
    expect(indonesian).toMatch(/wajah|kemiripan|panggilan/);
    expect(numbersOf(indonesian ?? '')).toEqual(numbersOf(english));
  });

  it('is not guessed when the sentence is unknown', () => {
    expect(indonesianDetail('image: something new of 7 px')).toBeUndefined();
  });
});
