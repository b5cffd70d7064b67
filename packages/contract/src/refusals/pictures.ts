import { aPicture, sebuahGambar } from '../values.ts';
import type { RefusalRow, SentenceRow } from './sentence.ts';

const noBase64 = {
  en: "{field}: {problem:phrase} is not base64; send the picture's bytes as base64",
  id: '{field}: {problem:phrase} bukan base64; kirim byte gambar sebagai base64',
} as const;

const noPicture = {
  en: `{field}: it holds no picture; send a ${aPicture}`,
  id: `{field}: tidak berisi gambar; kirim ${sebuahGambar}`,
} as const;

/** Refusals of pictures and of the face that is looked for in them. */
export const pictureRefusals = {
  imageEmpty: { status: 'imageNull', ...noPicture },
  targetImageEmpty: { status: 'targetImageNull', ...noPicture },
  sourceImageEmpty: { status: 'sourceImageNull', ...noPicture },
  imageBase64: { status: 'imageBase64', ...noBase64 },
  targetImageBase64: { status: 'targetImageBase64', ...noBase64 },
  sourceImageBase64: { status: 'sourceImageBase64', ...noBase64 },
  imageType: {
    status: 'imageType',
    en: '[[{field}: ]]{reason}',
    id: '[[{field}: ]]jenis gambar tidak dikenal ({reason})',
  },
  sourceImageType: {
    status: 'sourceImageType',
    en: '[[{field}: ]]{reason}',
    id: '[[{field}: ]]jenis gambar tidak dikenal ({reason})',
  },
  pictureTooLarge: {
    status: 'imageBroken',
    en: '[[{field}: ]]the picture is {bytes} bytes, at most {most} are allowed; send a smaller one',
    id: '[[{field}: ]]gambar berukuran {bytes} byte, paling banyak {most}; kirim yang lebih kecil',
  },
  imageBroken: {
    status: 'imageBroken',
    en: '[[{field}: ]]{reason}',
    id: '[[{field}: ]]gambar rusak atau terlalu besar ({reason})',
  },
  faceNotDetected: {
    status: 'faceNotDetected',
    en: '[[{field}: ]]no face was found in the picture of {width}x{height} px; send one that shows the face whole, upright and well lit',
    id: '[[{field}: ]]tidak ada wajah di gambar {width}x{height} px; kirim gambar yang menampilkan wajah utuh, tegak, dan terang',
  },
  faceTooSmall: {
    status: 'faceTooSmall',
    en: '[[{field}: ]]{face:phrase} is {size} px, the minimum is {minimum} px (shorter side of its box); come closer or send a larger picture{remedy:phrase?}',
    id: '[[{field}: ]]{face:phrase} berukuran {size} px, paling sedikit {minimum} px (sisi pendek kotaknya); mendekatlah atau kirim gambar yang lebih besar{remedy:phrase?}',
  },
  qualityTooLow: {
    status: 'qualityTooLow',
    en: '[[{field}: ]]{face:phrase} fails {count} of the quality rules: {rules:rules}',
    id: '[[{field}: ]]{face:phrase} melanggar {count} aturan kualitas: {rules:rules}',
  },
  severalFaces: {
    status: 'qualityTooLow',
    en: '[[{field}: ]]{found} faces were found, exactly one is allowed[[ (check_single_face)]]: {faces:list}{others:phrase?}; crop the picture, or take one of the person alone',
    id: '[[{field}: ]]ditemukan {found} wajah, hanya satu yang diizinkan[[ (check_single_face)]]: {faces:list}{others:phrase?}; potong gambarnya, atau ambil gambar orang itu sendiri',
  },
  tooManyFaces: {
    status: 'qualityTooLow',
    en: '[[{field}: ]]{found} faces were found, at most {most} are allowed[[ (check_single_face)]]: {faces:list}{others:phrase?}; crop the picture, or take one of the person alone',
    id: '[[{field}: ]]ditemukan {found} wajah, paling banyak {most} yang diizinkan[[ (check_single_face)]]: {faces:list}{others:phrase?}; potong gambarnya, atau ambil gambar orang itu sendiri',
  },
} as const satisfies Record<string, RefusalRow>;

/** A quality rule that failed; the engine's advice is `reason`. */
const failed = <const Rule extends string>(rule: Rule) =>
  `${rule} {value} (limit {limit} {unit}): {reason}` as const;

/** Parts of the sentences about pictures. */
export const picturePhrases = {
  theFace: { en: 'the face', id: 'wajah' },
  largestFace: { en: 'the face (the largest of {found})', id: 'wajah (terbesar dari {found})' },
  faceOfPerson: { en: 'the face of the person', id: 'wajah orangnya' },
  faceOnCard: { en: 'the face on the card', id: 'wajah di kartu' },
  orForceRegister: { en: '[[, or send force_register: true]]', id: '[[, atau kirim force_register: true]]' },
  noBase64Header: {
    en: 'the data: header does not end in ";base64," (position {position})',
    id: 'kepala data: tidak berakhir dengan ";base64," (posisi {position})',
  },
  blankAt: {
    en: 'a blank inside a line (U+0020; a "+" that a form encoding has lost?) at position {position}',
    id: 'spasi di dalam baris (U+0020; "+" yang hilang oleh pengodean formulir?) di posisi {position}',
  },
  characterAt: {
    en: 'the character {character:quoted} ({code_point}) at position {position}',
    id: 'karakter {character:quoted} ({code_point}) di posisi {position}',
  },
  codePointAt: {
    en: 'the character {code_point} at position {position}',
    id: 'karakter {code_point} di posisi {position}',
  },
  paddingAt: {
    en: 'padding "=" before the end at position {position}',
    id: 'pengisi "=" sebelum akhir di posisi {position}',
  },
  cutOffAt: {
    en: 'the text is cut off: one letter too many or three too few at position {position}',
    id: 'teks terpotong: kelebihan satu huruf atau kekurangan tiga di posisi {position}',
  },
  wrongPaddingAt: {
    en: 'the wrong number of "=" at position {position}',
    id: 'jumlah "=" yang salah di posisi {position}',
  },
  faceAt: { en: '{width}x{height} px at {x},{y}', id: '{width}x{height} px di {x},{y}' },
  failedSize: {
    en: failed('size'),
    id: 'ukuran {value} (batas {limit} piksel): wajah terlalu kecil; mendekatlah.',
  },
  failedSharpness: {
    en: failed('sharpness'),
    id: 'ketajaman {value} (batas {limit}): wajah buram; jangan bergerak dan fokuskan.',
  },
  failedDark: {
    en: failed('brightness'),
    id: 'kecerahan {value} (batas {limit}): wajah terlalu gelap; tambah cahaya.',
  },
  failedBright: {
    en: failed('brightness'),
    id: 'kecerahan {value} (batas {limit}): wajah terlalu terang; kurangi cahaya.',
  },
  failedContrast: {
    en: failed('contrast'),
    id: 'kontras {value} (batas {limit}): wajah kurang kontras; pakai cahaya yang lebih kuat dan merata.',
  },
  failedPose: {
    en: failed('pose'),
    id: 'pose {value} (batas {limit} derajat): kepala menoleh; lihat ke kamera.',
  },
  failedCropped: {
    en: failed('cropped'),
    id: 'terpotong {value} (batas {limit}): wajah terpotong; tampilkan seluruhnya.',
  },
  andOthers: { en: ' and others', id: ' dan lainnya' },
} as const satisfies Record<string, SentenceRow>;
