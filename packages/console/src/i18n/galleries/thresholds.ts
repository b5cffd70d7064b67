import type { Area } from '../area.ts';

export const thresholds = {
  title: ['What a threshold means', 'Arti sebuah ambang'],
  lead: [
    'A higher threshold matches fewer people who are not enrolled and refuses more of your own people. Move it to see both.',
    'Ambang yang lebih tinggi mencocokkan lebih sedikit orang yang tidak terdaftar dan menolak lebih banyak orang sendiri. Geser untuk melihat keduanya.',
  ],
  move: ['Threshold to look at', 'Ambang yang dilihat'],
  use: ['Enter it in Settings', 'Masukkan di Pengaturan'],
  rate: ['False match rate', 'Tingkat salah cocok (FMR)'],
  rateWhy: [
    'Share of comparisons of two different people that reach the threshold.',
    'Bagian perbandingan dua orang berbeda yang mencapai ambang.',
  ],
  oneIn: [(count: string) => `1 in ${count}`, (count: string) => `1 dari ${count}`],
  falsePositiveRate: ['False positive identification rate', 'Tingkat salah identifikasi positif (FPIR)'],
  falsePositiveRateWhy: [
    (people: string) =>
      `Share of people who are not enrolled that match somebody among ${people} people, at most.`,
    (people: string) =>
      `Bagian orang yang tidak terdaftar yang cocok dengan seseorang di antara ${people} orang, paling banyak.`,
  ],
  nearlyAll: ['nearly all', 'hampir semua'],
  verifyBelow: ['Verifications below', 'Verifikasi di bawahnya'],
  identifyBelow: ['Searches below', 'Pencarian di bawahnya'],
  belowWhy: [
    (days: string) =>
      `Of the calls of the last ${days} days in this gallery. People who are not enrolled are among them: at most so many of your own people are refused.`,
    (days: string) =>
      `Dari panggilan ${days} hari terakhir di galeri ini. Orang yang tidak terdaftar termasuk di dalamnya: paling banyak sekian orang sendiri ditolak.`,
  ],
  countOf: [
    (below: string, all: string, share: string) => `${below} of ${all} (${share})`,
    (below: string, all: string, share: string) => `${below} dari ${all} (${share})`,
  ],
  noCalls: ['no calls yet', 'belum ada panggilan'],
  threshold: ['Threshold', 'Ambang'],
  inForceVerify: ['verification', 'verifikasi'],
  inForceIdentify: ['identification', 'identifikasi'],
  table: ['Thresholds compared', 'Perbandingan ambang'],
  chart: [
    'Similarities that verifications and searches reached. The table has the numbers.',
    'Kemiripan yang dicapai verifikasi dan pencarian. Angkanya ada di tabel.',
  ],
  chartTitle: ['What probes of this gallery reached', 'Yang dicapai gambar uji galeri ini'],
  chartHint: [
    'Counts of the last 30 days, without users. Each bar is a tenth of a decade of the false match rate wide.',
    'Jumlah 30 hari terakhir, tanpa pengguna. Lebar setiap batang sepersepuluh dekade tingkat salah cocok.',
  ],
  below: ['below the threshold', 'di bawah ambang'],
  above: ['at or above it', 'pada atau di atasnya'],
  calibration: ['Calibration', 'Kalibrasi'],
  curve: ['Curve', 'Kurva'],
  curveOwn: ['of this gallery', 'milik galeri ini'],
  curveServer: ['of the server', 'milik server'],
  provisional: ['provisional', 'sementara'],
  measured: ['measured', 'terukur'],
  pairs: ['Pairs of different people', 'Pasangan orang berbeda'],
  pairsFitted: ['the curve was fitted to', 'dasar pencocokan kurva'],
  pairsPossible: ['in this gallery', 'di galeri ini'],
  normalised: ['Normalised by', 'Dinormalkan oleh'],
  normalisedBy: [(count: string) => `${count} of its people`, (count: string) => `${count} orangnya`],
  normalisedOff: ['nothing: switched off', 'tidak ada: dimatikan'],
  normalisedFew: ['nothing: fewer than five people', 'tidak ada: kurang dari lima orang'],
  frozen: ['frozen', 'dibekukan'],
  provisionalText: [
    'The curve comes from published figures of the model pack, not from a measurement. An operator replaces it by one that is measured on the people of the galleries:',
    'Kurva ini berasal dari angka terbitan paket model, bukan dari pengukuran. Operator menggantinya dengan kurva yang diukur pada orang di galeri:',
  ],
  ownText: [
    'An operator can fit a curve to the people of this gallery:',
    'Operator dapat mencocokkan kurva dengan orang di galeri ini:',
  ],
} as const satisfies Area;
