import type { RefusalRow, SentenceRow } from './sentence.ts';

/** Refusals of liveness sessions and of the tokens that they give. */
export const livenessRefusals = {
  sessionNotFound: {
    status: 'sessionNotFound',
    en: 'session_id: you have no session of this name; open one first',
    id: 'session_id: Anda tidak memiliki sesi dengan nama ini; mulai sesi dulu',
  },
  sessionJudged: {
    status: 'sessionJudged',
    en: 'session_id: the session was judged already; open another one',
    id: 'session_id: sesi sudah dinilai; mulai sesi yang lain',
  },
  sessionExpired: {
    status: 'sessionExpired',
    en: 'session_id: it has expired; open another one',
    id: 'session_id: sesi sudah kedaluwarsa; mulai sesi yang lain',
  },
  sessionEnded: {
    status: 'sessionExpired',
    en: 'session_id: a newer link for the same person has ended the session; use that one',
    id: 'session_id: tautan yang lebih baru untuk orang yang sama telah mengakhiri sesi; pakai tautan itu',
  },
  sessionWaits: {
    status: 'malformed',
    en: 'session_id: the session has not begun; call begin-session',
    id: 'session_id: sesi belum dimulai; panggil begin-session',
  },
  redirectUrl: {
    status: 'malformed',
    en: 'redirect_url: found {found}; allowed is an https URL, or an http URL of localhost, without a user name, with hosted',
    id: 'redirect_url: ditemukan {found}; yang diizinkan ialah URL https, atau URL http localhost, tanpa nama pengguna, dengan hosted',
  },
  hintsTooOften: {
    status: 'tooManyRequests',
    en: 'a session gets two hints a second; ask again in {seconds} s',
    id: 'sebuah sesi mendapat dua petunjuk per detik; minta lagi dalam {seconds} detik',
  },
  hintsUsedUp: {
    status: 'tooManyRequests',
    en: 'the session got {most} hints, the maximum; take its frames without them',
    id: 'sesi sudah mendapat {most} petunjuk, jumlah terbanyak; ambil bingkainya tanpa petunjuk',
  },
  sessionSecret: {
    status: 'denied',
    en: 'Accesstoken: the secret of a session is only for the calls of its page',
    id: 'Accesstoken: rahasia sesi hanya untuk panggilan halamannya',
  },
  frontalNeedsImage: {
    status: 'malformed',
    en: 'frames[{index}].image: the session keeps a frontal frame; send those as pictures',
    id: 'frames[{index}].image: sesi menyimpan bingkai dari depan; kirim sebagai gambar',
  },
  sessionFrameNeeds: {
    status: 'malformed',
    en: 'use_session_frame: it needs a liveness_token, and no image; send these',
    id: 'use_session_frame: memerlukan liveness_token, tanpa image; kirim demikian',
  },
  noSessionFrame: {
    status: 'denied',
    en: 'use_session_frame: no frame of this session is kept; create the session with keep_frame, or send an image',
    id: 'use_session_frame: tidak ada bingkai sesi ini yang disimpan; buat sesi dengan keep_frame, atau kirim image',
  },
  nonceMismatch: {
    status: 'malformed',
    en: 'nonce: it is not the one of this session; send that, or none',
    id: 'nonce: bukan milik sesi ini; kirim yang benar, atau kosongkan',
  },
  tooManyFrames: {
    status: 'malformed',
    en: 'image: a session has {most} frames at most; submit those',
    id: 'image: sebuah sesi berisi paling banyak {most} bingkai; ajukan yang sudah dikirim',
  },
  frameNotHeld: {
    status: 'malformed',
    en: 'frames[{index}].digest: no such frame is held; send its image',
    id: 'frames[{index}].digest: bingkai ini tidak tersimpan; kirim image-nya',
  },
  sessionsFailed: {
    status: 'tooManyRequests',
    en: '{count} sessions of this subject failed or expired within an hour; open the next one at {at}, in {seconds} s',
    id: '{count} sesi orang ini gagal atau kedaluwarsa dalam satu jam; mulai yang berikutnya dalam {seconds} detik ({at})',
  },
  sessionsOpenOfSubject: {
    status: 'tooManyRequests',
    en: 'this subject has {count} open sessions for different users, the maximum; open the next one at {at}, in {seconds} s',
    id: 'orang ini punya {count} sesi terbuka untuk pengguna yang berbeda, jumlah terbanyak; mulai yang berikutnya dalam {seconds} detik ({at})',
  },
  sessionsOpen: {
    status: 'tooManyRequests',
    en: 'you have {count} open sessions without a subject, the maximum; name subjects; open the next one at {at}, in {seconds} s',
    id: 'Anda punya {count} sesi terbuka tanpa subject, jumlah terbanyak; sebutkan subject; mulai yang berikutnya dalam {seconds} detik ({at})',
  },
  livenessTokenMissing: {
    status: 'livenessNotProven',
    en: 'liveness_token: the gallery requires one; pass a liveness session first',
    id: 'liveness_token: galeri mewajibkannya; luluskan sesi liveness dulu',
  },
  livenessTokenInvalid: {
    status: 'livenessNotProven',
    en: 'liveness_token: it is not genuine or has expired; pass a liveness session again',
    id: 'liveness_token: tidak asli atau sudah kedaluwarsa; luluskan sesi liveness lagi',
  },
  livenessTokenSpent: {
    status: 'livenessNotProven',
    en: 'liveness_token: it was spent already or has expired; pass a liveness session again',
    id: 'liveness_token: sudah dipakai atau kedaluwarsa; luluskan sesi liveness lagi',
  },
  livenessTokenOfOtherPack: {
    status: 'livenessNotProven',
    en: 'liveness_token: it was made with another model pack; pass a liveness session again',
    id: 'liveness_token: dibuat dengan paket model lain; luluskan sesi liveness lagi',
  },
  livenessTokenOfOtherFace: {
    status: 'livenessNotProven',
    en: 'liveness_token: the face of {field} does not match the one that passed (similarity {similarity:similarity}, threshold {threshold:similarity}); the token is spent now, pass a liveness session again',
    id: 'liveness_token: wajah di {field} tidak cocok dengan wajah yang lulus (kemiripan {similarity:similarity}, ambang {threshold:similarity}); token sudah terpakai, luluskan sesi liveness lagi',
  },
} as const satisfies Record<string, RefusalRow>;

export const livenessPhrases = {} as const satisfies Record<string, SentenceRow>;
