import { language } from '../../state/preferences.ts';

/** Units of settings in Indonesian; those that are the same in both languages are missing. */
const indonesian: Readonly<Record<string, string>> = {
  'bytes a second': 'byte per detik',
  'calls a minute': 'panggilan per menit',
  'in 15 minutes': 'dalam 15 menit',
  'sessions an hour': 'sesi per jam',
  calls: 'panggilan',
  connections: 'koneksi',
  days: 'hari',
  degrees: 'derajat',
  faces: 'wajah',
  galleries: 'galeri',
  h: 'jam',
  min: 'menit',
  pictures: 'gambar',
  pixels: 'piksel',
  s: 'detik',
  samples: 'sampel',
  scans: 'pindaian',
  sessions: 'sesi',
  steps: 'langkah',
};

/** @example unitName('h'); // 'hours' */
export function unitName(unit: string): string {
  if (language.value === 'id') return indonesian[unit] ?? unit;
  return { h: 'hours', s: 'seconds', min: 'minutes' }[unit] ?? unit;
}
