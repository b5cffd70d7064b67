import type { RefusalRow, SentenceRow } from './sentence.ts';

/** Refusals of consent, retention and the rights of a person. */
export const peopleRefusals = {
  consentInFuture: {
    status: 'malformed',
    en: 'consent_given_at: found {at}, which is in the future; allowed is a time until now',
    id: 'consent_given_at: ditemukan {at}, yang masih akan datang; yang diizinkan ialah waktu sampai sekarang',
  },
  consentPassed: {
    status: 'malformed',
    en: 'consent_until: found {at}, which has passed; allowed is a time after now',
    id: 'consent_until: ditemukan {at}, yang sudah lewat; yang diizinkan ialah waktu sesudah sekarang',
  },
  consentIncomplete: {
    status: 'malformed',
    en: 'consent_reference: found nothing, and {field}; a consent is sent as a whole, with its reference',
    id: 'consent_reference: tidak ada isinya, padahal {field} dikirim; persetujuan dikirim utuh, dengan rujukannya',
  },
  consentEnded: {
    status: 'consentMissing',
    en: 'consent_reference: this gallery requires a consent, and the stored one ended at {at}; send the new one',
    id: 'consent_reference: galeri ini mewajibkan persetujuan, dan yang disimpan berakhir pada {at}; kirim yang baru',
  },
  consentMissing: {
    status: 'consentMissing',
    en: 'consent_reference: this gallery requires a consent; send where you find it, and consent_purpose',
    id: 'consent_reference: galeri ini mewajibkan persetujuan; kirim di mana persetujuan itu tercatat, dan consent_purpose',
  },
  expiringCursor: {
    status: 'malformed',
    en: 'cursor: it is no next_cursor of list-expiring; send that of the previous page, or none for the first page',
    id: 'cursor: bukan next_cursor dari list-expiring; kirim yang dari halaman sebelumnya, atau kosongkan untuk halaman pertama',
  },
  picturesScopeMissing: {
    status: 'denied',
    en: 'pictures: the token lacks the scope pictures; send a token that has it, or export without pictures',
    id: 'pictures: token tidak punya cakupan pictures; kirim token yang memilikinya, atau ekspor tanpa gambar',
  },
} as const satisfies Record<string, RefusalRow>;

export const peoplePhrases = {} as const satisfies Record<string, SentenceRow>;
