import { aPicture, maxTemplates, sebuahGambar } from '../values.ts';

/**
 * The status table: the only place that pairs a status of the envelope with its HTTP code, message and title.
 * A retired name or status is never reused.
 */
export const statuses = {
  success: {
    status: '200',
    http: 200,
    message: 'Success',
    when: 'The call succeeded.',
    title: ['Face not accepted', 'Wajah tidak diterima'],
    advice: 'Panggilan dijawab, tetapi wajahnya tidak diterima.',
  },
  malformed: {
    status: '400',
    http: 400,
    message: 'Request malformed',
    when: 'The JSON does not parse, a field has a wrong type, is too long or holds a value that is not allowed, or a batch is empty or over 8.',
    title: ['Request not understood', 'Permintaan tidak sah'],
    advice: 'Perbaiki isian yang disebut, lalu kirim lagi.',
  },
  unauthorized: {
    status: '401',
    http: 401,
    message: 'Accesstoken not authorized',
    when: 'The header is missing, or the token is unknown, expired or revoked.',
    title: ['Token not accepted', 'Token tidak diterima'],
    advice: 'Masuk lagi, atau pakai token lain.',
    compreface: 10,
  },
  denied: {
    status: '403',
    http: 403,
    message: 'Requested resource denied',
    when: 'The client is not registered, a quota is used up (detail names which), the token lacks a scope, the faces of the gallery were enrolled with another model pack than the server runs, the gallery needs more memory than the server has for galleries, no face crop is kept of a user, or what is stored is damaged.',
    title: ['Not allowed', 'Tidak diizinkan'],
    advice:
      'Klien ini tidak berhak, belum terdaftar, atau kuotanya habis. Operator server dapat mengubahnya.',
  },
  routeNotFound: {
    status: '404',
    http: 404,
    message: 'Route not found',
    when: 'No endpoint has this path.',
    title: ['Unknown address', 'Alamat tidak dikenal'],
    advice: 'Tidak ada endpoint di alamat ini.',
  },
  methodNotAllowed: {
    status: '405',
    http: 405,
    message: 'Method not allowed',
    when: 'The endpoint exists but does not accept this method; the Allow header lists those it does.',
    title: ['Method not allowed', 'Metode tidak diizinkan'],
    advice: 'Endpoint ini memakai metode HTTP yang lain.',
  },
  userExists: {
    status: '409',
    http: 409,
    message: 'user_id already enrolled',
    when: `The user_id is enrolled and neither replace nor append is true, append would exceed ${maxTemplates} pictures, or check_duplicate found that the face looks like that of another user_id: then status_message is "face already enrolled".`,
    title: ['Already enrolled, or looks like somebody else', 'Sudah terdaftar, atau mirip orang lain'],
    advice: 'Tambahkan gambarnya kepada orang itu, atau pakai ID lain.',
    compreface: 36,
  },
  notRecognized: {
    status: '411',
    http: 200,
    message: 'Face not verified or unregistered',
    when: 'Identification found nobody at or above the threshold, a KTP enrolment stayed below minimum_similarity, or append stayed below the threshold of the gallery.',
    title: ['Face not recognised', 'Wajah tidak dikenali'],
    advice: 'Tidak ada orang di galeri yang mencapai ambang.',
  },
  faceNotDetected: {
    status: '412',
    http: 422,
    message: 'Face not detected',
    when: 'No face was found in the image.',
    title: ['Face not detected', 'Wajah tidak terdeteksi'],
    advice: 'Kirim gambar yang menampilkan wajah utuh, tegak, dan cukup terang.',
    compreface: 28,
  },
  faceTooSmall: {
    status: '413',
    http: 422,
    message: 'Face too small',
    when: 'The face is below the minimum size; force_register lifts this at enrolment.',
    title: ['Face too small', 'Wajah terlalu kecil'],
    advice: 'Mendekatlah, atau kirim gambar yang lebih besar.',
    compreface: 28,
  },
  qualityTooLow: {
    status: '414',
    http: 422,
    message: 'Face quality too low',
    when: 'A quality rule that is switched on failed, or check_single_face found other faces; detail lists each rule with value and limit.',
    title: ['Face quality too low', 'Kualitas wajah terlalu rendah'],
    advice: 'Ambil gambar lain: terang, tajam, menghadap depan.',
    compreface: 31,
  },
  userNotFound: {
    status: '415',
    http: 404,
    message: 'user_id not found',
    when: 'The gallery has no such user.',
    title: ['Person not found', 'Orang tidak ditemukan'],
    advice: 'Tidak ada orang dengan user_id ini di galeri.',
    compreface: 42,
  },
  galleryNotFound: {
    status: '416',
    http: 404,
    message: 'facegallery_id not found',
    when: 'The client has no such gallery; also when it belongs to another client.',
    title: ['Gallery not found', 'Galeri tidak ditemukan'],
    advice: 'Anda tidak memiliki galeri dengan nama ini.',
    compreface: 10,
  },
  galleryExists: {
    status: '417',
    http: 409,
    message: 'facegallery_id already exists',
    when: 'The client already has a gallery of this name.',
    title: ['Gallery exists already', 'Galeri sudah ada'],
    advice: 'Pilih nama lain, atau pakai galeri yang ada.',
  },
  sessionNotFound: {
    status: '418',
    http: 404,
    message: 'session_id not found',
    when: 'The client has no such liveness session; also when it belongs to another client, or was deleted after it expired.',
    title: ['Session not found', 'Sesi tidak ditemukan'],
    advice: 'Mulai sesi liveness yang baru.',
  },
  sessionJudged: {
    status: '419',
    http: 409,
    message: 'session_id already judged',
    when: 'Frames were submitted for this liveness session before; a session is judged once.',
    title: ['Session judged already', 'Sesi sudah dinilai'],
    advice: 'Sebuah sesi dinilai sekali. Mulai sesi yang baru.',
  },
  sessionExpired: {
    status: '420',
    http: 410,
    message: 'session_id expired',
    when: 'The call came after expires_at of the liveness session, or after a newer link for the same person.',
    title: ['Session expired', 'Sesi kedaluwarsa'],
    advice: 'Waktu sesi habis. Mulai sesi yang baru.',
  },
  livenessNotProven: {
    status: '421',
    http: 403,
    message: 'Liveness not proven',
    when: 'The gallery requires a liveness_token and none was sent; or the liveness_token is not genuine, expired, spent, of another client, or of a face that the picture does not match (detail says which).',
    title: ['Liveness not proven', 'Liveness belum terbukti'],
    advice: 'Lakukan sesi liveness, lalu kirim tokennya.',
  },
  tokenNotFound: {
    status: '422',
    http: 404,
    message: 'token_id not found',
    when: 'The client has no such API token; also when it belongs to another client.',
    title: ['Token not found', 'Token tidak ditemukan'],
    advice: 'Anda tidak memiliki token API ini.',
  },
  consentMissing: {
    status: '423',
    http: 403,
    message: 'Consent missing',
    when: 'The gallery requires a consent, and the call has no consent_reference and none is stored of the user, or it has ended.',
    title: ['Consent missing', 'Persetujuan belum ada'],
    advice: 'Galeri ini mewajibkan rujukan persetujuan orangnya.',
  },
  userSuspended: {
    status: '424',
    http: 403,
    message: 'user_id suspended',
    when: 'The user is stored and not matched: suspend-person suspended them, and resume-person ends it.',
    title: ['Person suspended', 'Orang ditangguhkan'],
    advice: 'Orang ini disimpan, tetapi tidak dicocokkan sampai penangguhannya diakhiri.',
  },
  webhookNotFound: {
    status: '425',
    http: 404,
    message: 'webhook_id not found',
    when: 'The client has no such webhook; also when it belongs to another client.',
    title: ['Webhook not found', 'Webhook tidak ditemukan'],
    advice: 'Klien ini tidak memiliki webhook dengan id tersebut.',
  },
  clientNotFound: {
    status: '426',
    http: 404,
    message: 'client_id not found',
    when: 'An operator named a client that does not exist.',
    title: ['Client not found', 'Klien tidak ditemukan'],
    advice: 'Tidak ada klien dengan nama ini.',
  },
  clientExists: {
    status: '427',
    http: 409,
    message: 'client_id already exists',
    when: 'An operator creates a client under the name of another one.',
    title: ['Client exists already', 'Klien sudah ada'],
    advice: 'Pilih nama lain.',
  },
  tooManyRequests: {
    status: '429',
    http: 429,
    message: 'Too many requests',
    when: 'A rate limit was reached, or a limit of open or failed liveness sessions; Retry-After says when to try again.',
    title: ['Too many requests', 'Terlalu banyak permintaan'],
    advice: 'Tunggu sebentar, lalu coba lagi.',
  },
  imageNull: {
    status: '451',
    http: 400,
    message: 'image is null',
    when: 'image is missing, null or empty.',
    title: ['Picture missing', 'image kosong'],
    advice: 'Kirim gambar.',
    compreface: 5,
  },
  userIdNull: {
    status: '452',
    http: 400,
    message: 'user_id is null',
    when: 'user_id is missing, null, empty or only white space.',
    title: ['User ID missing', 'user_id kosong'],
    advice: 'Isi user_id.',
  },
  userNameNull: {
    status: '453',
    http: 400,
    message: 'user_name is null',
    when: 'user_name is missing, null, empty or only white space.',
    title: ['Name missing', 'user_name kosong'],
    advice: 'Isi nama.',
  },
  galleryIdNull: {
    status: '454',
    http: 400,
    message: 'facegallery_id is null',
    when: 'facegallery_id is missing, null, empty or only white space.',
    title: ['Gallery missing', 'facegallery_id kosong'],
    advice: 'Isi nama galeri.',
  },
  targetImageNull: {
    status: '455',
    http: 400,
    message: 'target_image is null',
    when: 'target_image is missing, null or empty.',
    title: ['Second picture missing', 'target_image kosong'],
    advice: 'Kirim gambar kedua.',
    compreface: 5,
  },
  sourceImageNull: {
    status: '456',
    http: 400,
    message: 'source_image is null',
    when: 'source_image is missing, null or empty.',
    title: ['First picture missing', 'source_image kosong'],
    advice: 'Kirim gambar pertama.',
    compreface: 5,
  },
  imageBase64: {
    status: '490',
    http: 422,
    message: 'Cannot decode image base64',
    when: 'image is not base64.',
    title: ['Picture not base64', 'Gambar bukan base64'],
    advice: 'Kirim gambar sebagai base64.',
    compreface: 21,
  },
  imageType: {
    status: '491',
    http: 422,
    message: 'image type not recognized',
    when: `The decoded bytes of image or target_image are no ${aPicture}; detail names what they look like.`,
    title: ['Unknown type of picture', 'Jenis gambar tidak dikenal'],
    advice: `Kirim gambar ${sebuahGambar}.`,
    compreface: 21,
  },
  targetImageBase64: {
    status: '492',
    http: 422,
    message: 'Cannot decode target_image base64',
    when: 'target_image is not base64.',
    title: ['Second picture not base64', 'Gambar kedua bukan base64'],
    advice: 'Kirim gambar sebagai base64.',
    compreface: 21,
  },
  imageBroken: {
    status: '493',
    http: 422,
    message: 'image error',
    when: 'The picture is truncated, corrupt, over a limit (bytes, pixels, side, scans, metadata, work of decoding), or alone takes longer than a picture may; sending it again does not help.',
    title: ['Picture damaged or too large', 'Gambar rusak atau terlalu besar'],
    advice: 'Kirim gambar lain, atau yang lebih kecil.',
    compreface: 21,
  },
  sourceImageBase64: {
    status: '494',
    http: 422,
    message: 'Cannot decode source_image base64',
    when: 'source_image is not base64.',
    title: ['First picture not base64', 'Gambar pertama bukan base64'],
    advice: 'Kirim gambar sebagai base64.',
    compreface: 21,
  },
  sourceImageType: {
    status: '495',
    http: 422,
    message: 'source_image type not recognized',
    when: `The decoded bytes of source_image are no ${aPicture}.`,
    title: ['Unknown type of the first picture', 'Jenis gambar pertama tidak dikenal'],
    advice: `Kirim gambar ${sebuahGambar}.`,
    compreface: 21,
  },
  serverError: {
    status: '500',
    http: 500,
    message: 'Server error',
    when: 'An unexpected error; it is logged with the trx_id.',
    title: ['Error of the server', 'Kesalahan server'],
    advice: 'Log server menjelaskan lebih banyak di bawah nomor transaksi ini.',
  },
  busy: {
    status: '503',
    http: 503,
    message: 'Server busy',
    when: 'The inference queue is full, the server is draining, its database cannot be reached, or another server has just migrated the gallery to a model pack that this one does not run yet. Nothing was partly written. Retry-After says when to try again.',
    title: ['Server busy', 'Server sibuk'],
    advice: 'Tidak ada yang ditulis. Coba lagi sebentar lagi.',
  },
} as const satisfies Record<string, StatusRow>;

/** `status_message` of a `userExists` that is about the face: the user_id of the call is not enrolled. */
export const faceEnrolledMessage = 'face already enrolled';

/** One row of the status table. */
export interface StatusRow {
  /** Value of the envelope's `status`. */
  readonly status: string;
  /** HTTP status code. */
  readonly http: number;
  /** Value of the envelope's `status_message`. */
  readonly message: string;
  /** When it is answered, for the documentation. */
  readonly when: string;
  /** Heading for people, in English and Indonesian. */
  readonly title: readonly [en: string, id: string];
  /** What people do about it, in Indonesian; in English the sentence of the answer says it. */
  readonly advice: string;
  /** Code that CompreFace's clients know it by; absent: they have none. */
  readonly compreface?: number;
}

/** Name of a row of the status table; services refuse by it. */
export type StatusName = keyof typeof statuses;
