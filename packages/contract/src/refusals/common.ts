import type { RefusalRow, SentenceRow } from './sentence.ts';

/** Refusals that belong to no area. */
export const commonRefusals = {
  serverError: {
    status: 'serverError',
    en: 'an error of the server; its log has more under this trx_id',
    id: 'kesalahan server; log server menjelaskan lebih banyak di bawah trx_id ini',
  },
  storeUnavailable: {
    status: 'busy',
    en: '{reason}; try again',
    id: 'basis data server tidak dapat dipakai sekarang ({reason}); coba lagi',
  },
  serverBusy: {
    status: 'busy',
    en: '{reason}; nothing was written, try again in a moment',
    id: 'server sibuk ({reason}); tidak ada yang ditulis, coba lagi sebentar lagi',
  },
  disconnected: {
    status: 'busy',
    en: 'the client disconnected before the answer',
    id: 'klien memutus sambungan sebelum jawaban',
  },
  requestMalformed: {
    status: 'malformed',
    en: '{reason}',
    id: 'permintaan HTTP tidak dapat dibaca ({reason})',
  },
  notReady: { status: 'busy', en: 'not ready: {checks:list}', id: 'belum siap: {checks:list}' },
} as const satisfies Record<string, RefusalRow>;

/** Parts of sentences that belong to no area. */
export const commonPhrases = {} as const satisfies Record<string, SentenceRow>;
