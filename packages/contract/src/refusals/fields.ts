import { aPicture, sebuahGambar } from '../values.ts';
import type { RefusalRow, SentenceRow } from './sentence.ts';

/** Refusals of the fields of a request, by its schema. */
export const fieldRefusals = {
  fieldsMalformed: { status: 'malformed', en: '{problems:sentences}', id: '{problems:sentences}' },
  imageNull: { status: 'imageNull', en: '{problems:sentences}', id: '{problems:sentences}' },
  userIdNull: { status: 'userIdNull', en: '{problems:sentences}', id: '{problems:sentences}' },
  userNameNull: { status: 'userNameNull', en: '{problems:sentences}', id: '{problems:sentences}' },
  galleryIdNull: { status: 'galleryIdNull', en: '{problems:sentences}', id: '{problems:sentences}' },
  targetImageNull: { status: 'targetImageNull', en: '{problems:sentences}', id: '{problems:sentences}' },
  sourceImageNull: { status: 'sourceImageNull', en: '{problems:sentences}', id: '{problems:sentences}' },
} as const satisfies Record<string, RefusalRow>;

/** What was found in a field, and what is allowed. */
export const fieldPhrases = {
  bodyNoObject: {
    en: 'the body: found {found:phrase}; allowed is a JSON object',
    id: 'isi permintaan: ditemukan {found:phrase}; yang diizinkan ialah objek JSON',
  },
  fieldProblem: { en: '{field}: {problem:phrase}', id: '{field}: {problem:phrase}' },
  foundAllowed: {
    en: 'found {found:phrase}; allowed is {allowed:phrase}',
    id: 'ditemukan {found:phrase}; yang diizinkan ialah {allowed:phrase}',
  },
  nothing: { en: 'nothing', id: 'tidak ada isinya' },
  aListOf: { en: 'a list of {count}', id: 'daftar berisi {count}' },
  anObject: { en: 'an object', id: 'sebuah objek' },
  aValue: { en: 'the {type} {value}', id: '{type} {value}' },
  theText: { en: 'the text {value:quoted}', id: 'teks {value:quoted}' },
  aTextOf: { en: 'a text of {length} characters', id: 'teks sepanjang {length} karakter' },
  aSecret: { en: 'a {type}', id: 'sebuah {type}' },
  tooLong: {
    en: 'found {length} characters, at most {most} are allowed',
    id: 'ditemukan {length} karakter, paling banyak {most}',
  },
  unprintable: {
    en: 'found {character} at character {place}, only printable characters are allowed',
    id: 'ditemukan {character} pada karakter ke-{place}, hanya karakter yang dapat dicetak yang diizinkan',
  },
  text: { en: 'a text', id: 'teks' },
  textFromTo: {
    en: 'a text of {least} to {most} characters',
    id: 'teks sepanjang {least} sampai {most} karakter',
  },
  textUpTo: { en: 'a text of at most {most} characters', id: 'teks sepanjang paling banyak {most} karakter' },
  pictureText: {
    en: `a ${aPicture}, as base64 or as a file of a form`,
    id: `${sebuahGambar}, sebagai base64 atau sebagai berkas formulir`,
  },
  trueOrFalse: { en: 'true or false', id: 'true atau false' },
  number: { en: 'a number from {least} to {most}', id: 'angka dari {least} sampai {most}' },
  numberOrNull: {
    en: 'a number from {least} to {most}, or null',
    id: 'angka dari {least} sampai {most}, atau null',
  },
  rate: { en: 'a rate from 1e-6 to 1, such as "1e-4"', id: 'laju dari 1e-6 sampai 1, misalnya "1e-4"' },
  wholeNumber: {
    en: 'a whole number from {least} to {most}',
    id: 'bilangan bulat dari {least} sampai {most}',
  },
  wholeNumberOrNull: {
    en: 'a whole number from {least} to {most}, or null',
    id: 'bilangan bulat dari {least} sampai {most}, atau null',
  },
  oneOf: { en: 'one of {words:list}', id: 'salah satu dari {words:list}' },
  listOfWords: { en: 'a list of {words:list}', id: 'daftar dari {words:list}' },
  listOfNames: {
    en: 'a list of 1 to {most} texts of 1 to 120 printable characters',
    id: 'daftar dari 1 sampai {most} teks sepanjang 1 sampai 120 karakter tercetak',
  },
  aTime: { en: 'a time such as 2026-01-31T12:00:00.000Z', id: 'waktu seperti 2026-01-31T12:00:00.000Z' },
  objectWithTwo: { en: 'an object with {one} and {other}', id: 'objek dengan {one} dan {other}' },
  parameterNeeded: {
    en: 'an object with at least one of angle, spoof_detection, eyes, mouth',
    id: 'objek dengan sedikitnya satu dari angle, spoof_detection, eyes, mouth',
  },
  noneOfThem: {
    en: 'found none of them; needed is {needed:phrase}',
    id: 'tidak ada satu pun; yang diperlukan ialah {needed:phrase}',
  },
  objectsUpTo: { en: 'a list of 1 to {most} objects', id: 'daftar berisi 1 sampai {most} objek' },
  neededWith: {
    en: 'found nothing; it is needed because {other} is given',
    id: 'tidak ada isinya; diperlukan karena {other} diisi',
  },
  batchSuccesses: {
    en: 'found {found}; allowed is a whole number from 1 to {pictures}, the pictures in the batch',
    id: 'ditemukan {found}; yang diizinkan ialah bilangan bulat dari 1 sampai {pictures}, jumlah gambar dalam batch',
  },
  noTermsChanged: {
    en: 'found nothing, nor retention_days; send what is to be changed',
    id: 'tidak ada isinya, begitu pula retention_days; kirim apa yang akan diubah',
  },
  noSettingChanged: {
    en: 'found nothing, nor require_liveness, require_consent, retention_days or keep_crops; send what is to be changed',
    id: 'tidak ada isinya, begitu pula require_liveness, require_consent, retention_days, atau keep_crops; kirim apa yang akan diubah',
  },
  word: { en: '{word}', id: '{word}' },
} as const satisfies Record<string, SentenceRow>;
