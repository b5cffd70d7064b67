import type { Area } from '../area.ts';

/** Consent, retention and suspension of a person. */
export const terms = {
  title: ['Consent and time', 'Persetujuan dan waktu'],
  consent: ['Consent', 'Persetujuan'],
  consentText: [
    (reference: string, given: string) => `${reference}, given ${given}`,
    (reference: string, given: string) => `${reference}, diberikan ${given}`,
  ],
  purpose: ['Purpose', 'Tujuan'],
  none: ['None', 'Tidak ada'],
  expires: ['Erased on', 'Dihapus pada'],
  never: ['No date', 'Tanpa tanggal'],
  reference: ['Reference of the consent', 'Rujukan persetujuan'],
  referenceHint: [
    'Where the consent is found, such as the number of a form. A new one replaces the stored one with its purpose.',
    'Di mana persetujuannya ditemukan, misalnya nomor formulir. Yang baru mengganti yang tersimpan beserta tujuannya.',
  ],
  days: ['Days from now until this person is erased', 'Hari dari sekarang sampai orang ini dihapus'],
  daysHint: ['Empty: as it is.', 'Kosong: seperti sekarang.'],
  suspended: ['Suspended', 'Ditangguhkan'],
  suspendedSince: [
    (time: string) => `Suspended since ${time}: stored, and not matched.`,
    (time: string) => `Ditangguhkan sejak ${time}: disimpan, dan tidak dicocokkan.`,
  ],
  suspend: ['Suspend this person', 'Tangguhkan orang ini'],
  resume: ['Match this person again', 'Cocokkan orang ini lagi'],
  suspendHint: [
    'A suspended person is kept, and neither identified nor verified.',
    'Orang yang ditangguhkan tetap disimpan, tetapi tidak diidentifikasi maupun diverifikasi.',
  ],
  requireConsent: ['Require a consent', 'Wajibkan persetujuan'],
  requireConsentHint: [
    'Enrolment needs the reference of a consent. People who are enrolled stay.',
    'Pendaftaran memerlukan rujukan persetujuan. Orang yang sudah terdaftar tetap ada.',
  ],
  retention: ['Days after which people are erased', 'Hari setelah itu orang dihapus'],
  retentionHint: [
    'From their first enrolment. Empty: no end. Those who were enrolled longer ago are erased within minutes.',
    'Sejak pendaftaran pertamanya. Kosong: tanpa akhir. Yang terdaftar lebih lama dari itu dihapus dalam hitungan menit.',
  ],
} as const satisfies Area;
