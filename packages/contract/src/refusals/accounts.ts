import type { RefusalRow, SentenceRow } from './sentence.ts';

/** Refusals of credentials, tokens and quotas, and of what only some clients may do. */
export const accountRefusals = {
  tokenToRevokeMissing: {
    status: 'unauthorized',
    en: 'Accesstoken: the header is missing',
    id: 'Accesstoken: header ini tidak ada',
  },
  grantType: {
    status: 'malformed',
    en: 'grant_type: found {found:phrase}; allowed is client_credentials',
    id: 'grant_type: ditemukan {found:phrase}; yang diizinkan ialah client_credentials',
  },
  credentialMissing: {
    status: 'malformed',
    en: '{field}: found nothing; send it in the body or as HTTP Basic',
    id: '{field}: tidak ada isinya; kirim di isi permintaan atau sebagai HTTP Basic',
  },
  basicMalformed: {
    status: 'malformed',
    en: 'Authorization: Basic without client_id:password',
    id: 'Authorization: Basic tanpa client_id:password',
  },
} as const satisfies Record<string, RefusalRow>;

export const accountPhrases = {
  anotherOne: { en: 'another one', id: 'yang lain' },
} as const satisfies Record<string, SentenceRow>;
