import type { RefusalRow, SentenceRow } from './sentence.ts';

/** Refusals of the interface of CompreFace, worded as its clients know them. */
export const comprefaceRefusals = {
  apiKeyMissing: {
    status: 'unauthorized',
    compreface: 20,
    en: 'Missing header: x-api-key',
    id: 'header x-api-key tidak ada',
  },
  apiKeyUnknown: {
    status: 'unauthorized',
    compreface: 10,
    en: '{service} service with API Key {start}… not found',
    id: 'layanan {service} dengan kunci API {start}… tidak ditemukan',
  },
  keyScopeMissing: {
    status: 'denied',
    en: 'x-api-key: the scope {needed} is needed here, the key has {held}',
    id: 'x-api-key: cakupan {needed} diperlukan di sini, kunci punya {held}',
  },
  parameterMissing: {
    status: 'userIdNull',
    compreface: 33,
    en: 'Required parameter {field} is missing',
    id: 'parameter {field} yang wajib tidak ada',
  },
  subjectNameEmpty: {
    status: 'userIdNull',
    compreface: 26,
    en: 'Subject name is empty; ',
    id: 'nama subjek kosong; ',
  },
  partMissing: {
    status: 'imageNull',
    compreface: 34,
    en: 'Required part {field} is missing',
    id: 'bagian {field} yang wajib tidak ada',
  },
  fieldEmpty: {
    status: 'imageNull',
    compreface: 5,
    en: 'Field {field} cannot be empty',
    id: 'isian {field} tidak boleh kosong',
  },
  bodyNotTaken: {
    status: 'malformed',
    compreface: 0,
    en: 'the body: allowed is a JSON object, or a form where pictures are sent',
    id: 'isi permintaan: yang diizinkan ialah objek JSON, atau formulir bila gambar dikirim',
  },
  noSuchPath: {
    status: 'routeNotFound',
    en: 'no endpoint has this path and method; docs/compatibility.md lists them',
    id: 'tidak ada endpoint dengan alamat dan metode ini; docs/compatibility.md mendaftarnya',
  },
  embeddingsRefused: {
    status: 'malformed',
    compreface: 36,
    en: 'embeddings: this server neither gives nor takes embeddings; send the picture to recognize or verify',
    id: 'embeddings: server ini tidak memberi dan tidak menerima embedding; kirim gambar yang akan dikenali atau diverifikasi',
  },
  subjectExists: {
    status: 'userExists',
    compreface: 43,
    en: 'subject: there is one of this name already',
    id: 'subject: sudah ada yang bernama ini',
  },
  tooManySubjects: {
    status: 'denied',
    en: 'subject: {count} subjects have no picture, at most {most} are allowed; add pictures to them',
    id: 'subject: {count} subjek tidak punya gambar, paling banyak {most}; tambahkan gambar untuk mereka',
  },
  tooManyOfSubject: {
    status: 'userExists',
    en: 'subject: {subject:json} would have {count} pictures, at most {most} are allowed; delete single pictures first',
    id: 'subject: {subject:json} akan punya {count} gambar, paling banyak {most}; hapus gambar satu per satu dulu',
  },
  pictureNotFound: {
    status: 'userNotFound',
    compreface: 44,
    en: 'image_id: there is no picture {picture} in the gallery',
    id: 'image_id: tidak ada gambar {picture} di galeri',
  },
  noFaceOfScore: {
    status: 'faceNotDetected',
    en: '{field}: no face has a score of {score} or more; lower the threshold, or send a clearer picture',
    id: '{field}: tidak ada wajah dengan skor {score} atau lebih; turunkan ambangnya, atau kirim gambar yang lebih jelas',
  },
} as const satisfies Record<string, RefusalRow>;

export const comprefacePhrases = {
  subjectNameNeeded: {
    en: 'the name of a subject, 1 to 120 characters',
    id: 'nama subjek, 1 sampai 120 karakter',
  },
  emptySubjectName: { en: 'Subject name cannot be empty', id: 'nama subjek tidak boleh kosong' },
  nameOfNoPath: {
    en: 'a name other than . and .., which no path can have',
    id: 'nama selain . dan .., yang tidak dapat menjadi alamat',
  },
  aUuid: { en: 'a UUID', id: 'UUID' },
  imageIds: { en: 'a list of image ids', id: 'daftar id gambar' },
  imageIdsUpTo: { en: 'a list of at most 1,000', id: 'daftar berisi paling banyak 1.000' },
  pluginSlugs: { en: 'slugs of plugins, separated by commas', id: 'nama plugin, dipisahkan koma' },
  comprefaceOrWajah: { en: 'compreface or wajah', id: 'compreface atau wajah' },
  pictureFile: {
    en: 'a picture as a file of a form, or as base64',
    id: 'gambar sebagai berkas formulir, atau sebagai base64',
  },
} as const satisfies Record<string, SentenceRow>;
