import { expect, it } from 'vitest';
import { namesOf } from './user-id.ts';

it.each([
  ['1001_Harry.jpg', '1001', 'Harry'],
  ['007 - Sri Rahayu.JPEG', '007', 'Sri Rahayu'],
  ['3174010101900001.Élodie_Müller.png', '3174010101900001', 'Élodie Müller'],
  ['Sri_Rahayu.jpg', 'sri-rahayu', 'Sri Rahayu'],
  ['Orang 05.jpg', 'orang-05', 'Orang 05'],
  ['2024-01-31.jpg', '2024-01-31', '2024-01-31'],
  ['3174010101900001.jpg', '3174010101900001', '3174010101900001'],
  ['Foto Sri.jpg', 'foto-sri', 'Foto Sri'],
  ['Sam.jpg', 'sam', 'Sam'],
  ['1001_Foto.jpg', '1001', ''],
  ['1001.jpg', '1001', '1001'],
  ['2017_Rina Marlina (1).jpeg.jpg', '2017', 'Rina Marlina'],
  ['Sri.Rahayu.png', 'sri.rahayu', 'Sri.Rahayu'],
])('%s is %s, %s', (file, userId, userName) => {
  expect(namesOf(file)).toEqual({ userId, userName });
});

it.each([
  'camera-20260131-120000.jpg',
  'IMG_2031.jpg',
  'IMG_E2031.HEIC',
  'IMG-20261120-WA0003.jpg',
  'WhatsApp Image 2026-11-20 at 08.11.02.jpg',
  'WhatsApp Image 2026-11-20 pukul 08.11.02 (1).jpeg',
  'Selfie.jpg',
  'DSC_0012.JPG',
  'PXL_20261120_081102123.PORTRAIT.jpg',
  'Screenshot 2026-11-20 at 8.11.02 AM.png',
  'Screenshot_20261120-081102_WhatsApp.png',
  'photo (3).jpg',
  'photo_2026-11-20_08-11-02.jpg',
  'image.png',
  'FB_IMG_1606550000000.jpg',
  '20261120_081102.jpg',
  '2024-01-31 12.00.jpg',
  'Foto.jpg',
  'Tangkapan Layar 2026-11-20 pukul 08.11.02.png',
  '3f2a9c1e-6f3f-4d0a-9c55-0a4f6f2d8a11.jpg',
])('%s names nobody', (file) => {
  expect(namesOf(file)).toEqual({ userId: '', userName: '' });
});
