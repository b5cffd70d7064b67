import { expect, it } from 'vitest';
import { namesOf } from './user-id.ts';

it.each([
  ['1001_Harry.jpg', '1001', 'Harry'],
  ['007 - Sri Rahayu.JPEG', '007', 'Sri Rahayu'],
  ['3174010101900001.Élodie_Müller.png', '3174010101900001', 'Élodie Müller'],
  ['Sri_Rahayu.jpg', 'sri-rahayu', 'Sri Rahayu'],
  ['Orang 05.jpg', 'orang-05', 'Orang 05'],
  ['2024-01-31 12.00.jpg', '2024-01-31-12.00', '2024-01-31 12.00'],
  ['1001.jpg', '1001', '1001'],
  ['2017_Rina Marlina (1).jpeg.jpg', '2017', 'Rina Marlina'],
  ['Sri.Rahayu.png', 'sri.rahayu', 'Sri.Rahayu'],
  ['camera-20260131-120000.jpg', '', ''],
])('%s is %s, %s', (file, userId, userName) => {
  expect(namesOf(file)).toEqual({ userId, userName });
});
