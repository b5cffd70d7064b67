import type { RefusalRow, SentenceRow } from './sentence.ts';

/** Refusals of the transport: bodies, forms, routes, limits. */
export const httpRefusals = {
  shuttingDown: {
    status: 'busy',
    en: 'the server is shutting down; nothing was written, try again in a moment',
    id: 'server sedang dimatikan; tidak ada yang ditulis, coba lagi sebentar lagi',
  },
  tooManyCalls: {
    status: 'tooManyRequests',
    en: 'found more than {most} calls in a minute; try again in {seconds} s',
    id: 'lebih dari {most} panggilan dalam satu menit; coba lagi dalam {seconds} detik',
  },
  workersBusy: {
    status: 'busy',
    en: 'all workers are busy and {problem:phrase}; nothing was written, try again in {seconds} s',
    id: 'semua proses kerja sedang sibuk dan {problem:phrase}; tidak ada yang ditulis, coba lagi dalam {seconds} detik',
  },
  notDoneInTime: {
    status: 'busy',
    en: '{work:phrase} was not done in time; nothing was written, try again in a moment',
    id: '{work:phrase} tidak selesai pada waktunya; tidak ada yang ditulis, coba lagi sebentar lagi',
  },
  tooManyConnections: {
    status: 'busy',
    en: 'too many connections of this network; keep a connection for several calls, and make fewer at a time',
    id: 'terlalu banyak koneksi dari jaringan ini; pakai satu koneksi untuk beberapa panggilan, dan kurangi yang bersamaan',
  },
  bodyTooSlow: {
    status: 'malformed',
    en: 'the body: found {bytes} bytes in {seconds} s, which is too slow; send it faster',
    id: 'isi permintaan: {bytes} byte dalam {seconds} detik, terlalu lambat; kirim lebih cepat',
  },
  bodyTooLarge: {
    status: 'malformed',
    en: 'the body: larger than {most} bytes, the most that is allowed here',
    id: 'isi permintaan: lebih dari {most} byte, batas di sini',
  },
  picturesTooLarge: {
    status: 'imageBroken',
    en: 'the body: larger than {most} bytes, the most that is allowed here; send smaller pictures, or fewer in a call',
    id: 'isi permintaan: lebih dari {most} byte, batas di sini; kirim gambar yang lebih kecil, atau lebih sedikit dalam satu panggilan',
  },
  bodyRestTooLarge: {
    status: 'malformed',
    en: 'the body: found more than {most} bytes beside its pictures; allowed are {most}, and pictures in {fields:list}',
    id: 'isi permintaan: ditemukan lebih dari {most} byte di luar gambarnya; paling banyak {most}, dan gambar hanya di {fields:list}',
  },
  noRoomForBody: {
    status: 'busy',
    en: 'the body: the bodies {whose:phrase} take all memory for them; nothing was written, send smaller pictures, or fewer calls at a time, and try again in {seconds} s',
    id: 'isi permintaan: isi {whose:phrase} memakai semua memori untuk itu; tidak ada yang ditulis, kirim gambar yang lebih kecil, atau lebih sedikit panggilan sekaligus, dan coba lagi dalam {seconds} detik',
  },
  formNotTaken: {
    status: 'malformed',
    en: 'Content-Type: found a form ({type}); allowed is a JSON object, and multipart/form-data where pictures are sent',
    id: 'Content-Type: ditemukan formulir ({type}); yang diizinkan ialah objek JSON, dan multipart/form-data bila gambar dikirim',
  },
  jsonExpected: {
    status: 'malformed',
    en: 'the body: found a form ({type}); allowed is a JSON object',
    id: 'isi permintaan: ditemukan formulir ({type}); yang diizinkan ialah objek JSON',
  },
  bodyIsForm: {
    status: 'malformed',
    en: 'the body: found a form, but its Content-Type is {type}; send it as multipart/form-data with its boundary, and leave the header to the library that makes the form',
    id: 'isi permintaan: ditemukan formulir, tetapi Content-Type-nya {type}; kirim sebagai multipart/form-data dengan boundary-nya, dan serahkan header itu kepada pustaka yang membuat formulir',
  },
  bodyIsPicture: {
    status: 'malformed',
    en: 'the body: found a picture ({looksLike}) with the Content-Type {type}; send it as a file of a form (multipart/form-data, field image), or in JSON as base64',
    id: 'isi permintaan: ditemukan gambar ({looksLike}) dengan Content-Type {type}; kirim sebagai berkas formulir (multipart/form-data, isian image), atau dalam JSON sebagai base64',
  },
  bodyCompressed: {
    status: 'malformed',
    en: 'Content-Encoding: the body is compressed; allowed is identity',
    id: 'Content-Encoding: isi permintaan dimampatkan; yang diizinkan ialah identity',
  },
  bodyNotUtf8: {
    status: 'malformed',
    en: 'the body: found bytes that are not UTF-8; allowed is JSON in UTF-8',
    id: 'isi permintaan: ditemukan byte yang bukan UTF-8; yang diizinkan ialah JSON dalam UTF-8',
  },
  jsonTooDeep: {
    status: 'malformed',
    en: 'the body: JSON that is nested too deeply',
    id: 'isi permintaan: JSON bersarang terlalu dalam',
  },
  notJson: {
    status: 'malformed',
    en: 'the body: not JSON at position {offset} (line {line}, column {column}): {problem:phrase}',
    id: 'isi permintaan: bukan JSON di posisi {offset} (baris {line}, kolom {column}): {problem:phrase}',
  },
  fieldTwice: {
    status: 'malformed',
    en: 'the body: found a field twice; allowed is once',
    id: 'isi permintaan: sebuah isian ada dua kali; yang diizinkan sekali',
  },
  entryMissing: {
    status: 'malformed',
    en: '{field}[{index}]: found nothing, but later entries; count from 0',
    id: '{field}[{index}]: tidak ada isinya, tetapi ada entri sesudahnya; hitung dari 0',
  },
  formIncomplete: {
    status: 'malformed',
    en: 'the body: the form is not complete; send all of it, with the boundary of Content-Type before each field and after the last one',
    id: 'isi permintaan: formulir tidak lengkap; kirim seluruhnya, dengan boundary dari Content-Type sebelum setiap isian dan sesudah yang terakhir',
  },
  noBoundary: {
    status: 'malformed',
    en: 'Content-Type: found multipart/form-data without a boundary; leave the header to the library that makes the form',
    id: 'Content-Type: multipart/form-data tanpa boundary; serahkan header ini kepada pustaka yang membuat formulir',
  },
  formPart: {
    status: 'malformed',
    en: 'field {number} of the form: {problem:phrase}',
    id: 'isian {number} pada formulir: {problem:phrase}',
  },
  hostMissing: {
    status: 'malformed',
    en: 'Host: found no such header; send the host name of the URL',
    id: 'Host: header ini tidak ada; kirim nama host dari URL',
  },
  routeNotFound: {
    status: 'routeNotFound',
    en: 'no endpoint has this path; see /openapi.json{hint:phrase?}',
    id: 'tidak ada endpoint di alamat ini; lihat /openapi.json{hint:phrase?}',
  },
  methodNotAllowed: {
    status: 'methodNotAllowed',
    en: 'found {method}; allowed here is {allowed}',
    id: 'ditemukan {method}; yang diizinkan di sini ialah {allowed}',
  },
  noProxy: {
    status: 'methodNotAllowed',
    en: 'found CONNECT; this is no proxy',
    id: 'ditemukan CONNECT; ini bukan proxy',
  },
  pagesNotBuilt: {
    status: 'routeNotFound',
    en: 'the pages of the {pages:phrase} are not built on this server; `{command}` builds them',
    id: 'halaman {pages:phrase} belum dibangun di server ini; `{command}` membangunnya',
  },
  urlUndecodable: {
    status: 'malformed',
    en: 'the URL: found no path, a percent sign without two hexadecimal digits, or escaped bytes that are not UTF-8',
    id: 'URL: tidak ada path, tanda persen tanpa dua angka heksadesimal, atau byte yang di-escape yang bukan UTF-8',
  },
  notHttp: { status: 'malformed', en: 'not an HTTP request', id: 'bukan permintaan HTTP' },
  headersTooLarge: {
    status: 'malformed',
    en: 'the headers are too large; allowed are 16 KiB',
    id: 'header terlalu besar; paling banyak 16 KiB',
  },
  extensionsTooLarge: {
    status: 'malformed',
    en: 'the extensions of the chunks are too large; allowed are 16 KiB',
    id: 'ekstensi chunk terlalu besar; paling banyak 16 KiB',
  },
  contentLengthInvalid: {
    status: 'malformed',
    en: 'Content-Length: found a value that is not a number of bytes',
    id: 'Content-Length: nilainya bukan jumlah byte',
  },
  contentLengthTwice: {
    status: 'malformed',
    en: 'Content-Length: found beside another one or Transfer-Encoding; allowed is one',
    id: 'Content-Length: ada bersama yang lain atau Transfer-Encoding; yang diizinkan satu',
  },
  transferEncodingInvalid: {
    status: 'malformed',
    en: 'Transfer-Encoding: found beside Content-Length or not ending with chunked',
    id: 'Transfer-Encoding: ada bersama Content-Length atau tidak berakhir dengan chunked',
  },
  chunkSizeInvalid: {
    status: 'malformed',
    en: 'the body: found a chunk without a hexadecimal size',
    id: 'isi permintaan: ditemukan chunk tanpa ukuran heksadesimal',
  },
  methodInvalid: {
    status: 'malformed',
    en: 'the request line: found no method of HTTP',
    id: 'baris permintaan: tidak ada metode HTTP',
  },
  urlInvalid: {
    status: 'malformed',
    en: 'the request line: found a URL with a character that has to be escaped',
    id: 'baris permintaan: URL berisi karakter yang harus di-escape',
  },
  versionInvalid: {
    status: 'malformed',
    en: 'the request line: found a version of HTTP other than 1.0 and 1.1',
    id: 'baris permintaan: versi HTTP selain 1.0 dan 1.1',
  },
  headerInvalid: {
    status: 'malformed',
    en: 'the headers: found a character that is not allowed there',
    id: 'header: ditemukan karakter yang tidak diizinkan di sana',
  },
  requestTooSlow: {
    status: 'malformed',
    en: 'the request did not arrive in time',
    id: 'permintaan tidak tiba pada waktunya',
  },
} as const satisfies Record<string, RefusalRow>;

export const httpPhrases = {
  overloaded: { en: 'the server is overloaded', id: 'server kelebihan beban' },
  newerFirst: {
    en: 'the server is overloaded, newer calls go first',
    id: 'server kelebihan beban, panggilan yang lebih baru didahulukan',
  },
  displaced: {
    en: 'the queue is full and most of it is of this client',
    id: 'antrean penuh dan sebagian besar milik klien ini',
  },
  notBegun: { en: 'could not begin in time', id: 'tidak dapat dimulai pada waktunya' },
  late: {
    en: 'this picture would not be done within {milliseconds} ms',
    id: 'gambar ini tidak akan selesai dalam {milliseconds} ms',
  },
  queueFull: {
    en: 'found {waiting} pictures waiting, the most that may',
    id: '{waiting} gambar menunggu, jumlah terbanyak',
  },
  gallerySearch: { en: 'the search of the gallery', id: 'pencarian di galeri' },
  duplicateSearch: { en: 'the search for duplicates', id: 'pencarian ganda' },
  ofYourCalls: { en: 'of your other calls', id: 'panggilan Anda yang lain' },
  ofOtherCalls: { en: 'of other calls', id: 'panggilan lain' },
  namelessField: { en: 'a field without a name: {problem:phrase}', id: 'isian tanpa nama: {problem:phrase}' },
  fileForText: { en: 'found a file; allowed is a text', id: 'ditemukan berkas; yang diizinkan ialah teks' },
  textNotUtf8: {
    en: 'found bytes that are not UTF-8; allowed is a text in UTF-8',
    id: 'ditemukan byte yang bukan UTF-8; yang diizinkan ialah teks dalam UTF-8',
  },
  textNotJson: {
    en: 'found a text that is not JSON; allowed is JSON, or fields of its own for each part',
    id: 'ditemukan teks yang bukan JSON; yang diizinkan ialah JSON, atau isian sendiri untuk setiap bagian',
  },
  foundTwice: { en: 'found twice; allowed is once', id: 'ada dua kali; yang diizinkan sekali' },
  jsonAndFields: {
    en: 'found as JSON and as fields of its own for each part; allowed is one of both',
    id: 'ada sebagai JSON dan sebagai isian sendiri untuk setiap bagian; yang diizinkan salah satunya',
  },
  unknownFile: {
    en: 'found a file; allowed are files in {fields:list}',
    id: 'ditemukan berkas; berkas hanya diizinkan di {fields:list}',
  },
  partHeadersTooLarge: { en: 'found headers of more than {most} bytes', id: 'header lebih dari {most} byte' },
  noEmptyLine: { en: 'found no empty line after its headers', id: 'tidak ada baris kosong sesudah header' },
  noDisposition: {
    en: 'found no header Content-Disposition: form-data; name="…", which each needs',
    id: 'tidak ada header Content-Disposition: form-data; name="…", yang diperlukan setiap isian',
  },
  partEncoded: {
    en: 'found a Content-Transfer-Encoding other than binary, 7bit and 8bit; send the bytes themselves',
    id: 'Content-Transfer-Encoding selain binary, 7bit, dan 8bit; kirim byte-nya sendiri',
  },
  belowRisetai: {
    en: '; paths below {prefix} need WAJAH_COMPAT=risetai',
    id: '; alamat di bawah {prefix} memerlukan WAJAH_COMPAT=risetai',
  },
  belowCompreface: {
    en: '; paths below {prefix} need WAJAH_COMPAT=compreface',
    id: '; alamat di bawah {prefix} memerlukan WAJAH_COMPAT=compreface',
  },
  consolePages: { en: 'console', id: 'konsol' },
  documentPages: { en: 'documents', id: 'dokumentasi' },
  jsonSymbol: {
    en: 'a word or character that JSON does not have; names and texts need double quotes',
    id: 'kata atau karakter yang tidak ada di JSON; nama dan teks memerlukan tanda petik ganda',
  },
  jsonNumber: { en: 'a number is malformed', id: 'sebuah angka tidak sah' },
  jsonName: {
    en: 'a field name in double quotes was expected',
    id: 'seharusnya nama isian dalam tanda petik ganda',
  },
  jsonValue: { en: 'a value was expected', id: 'seharusnya sebuah nilai' },
  jsonColon: { en: 'a colon was expected', id: 'seharusnya titik dua' },
  jsonComma: { en: 'a comma was expected', id: 'seharusnya koma' },
  jsonBrace: { en: 'a comma or } was expected', id: 'seharusnya koma atau }' },
  jsonBracket: { en: 'a comma or ] was expected', id: 'seharusnya koma atau ]' },
  jsonEnd: { en: 'the end was expected', id: 'seharusnya sudah selesai' },
  jsonComment: { en: 'comments are not allowed', id: 'komentar tidak diizinkan' },
  jsonStringEnd: {
    en: 'a text does not end with a double quote',
    id: 'sebuah teks tidak berakhir dengan tanda petik ganda',
  },
  jsonNumberEnd: { en: 'a number is incomplete', id: 'sebuah angka tidak lengkap' },
  jsonUnicode: { en: 'a text has an invalid \\u escape', id: 'sebuah teks berisi escape \\u yang tidak sah' },
  jsonEscape: { en: 'a text has an invalid escape', id: 'sebuah teks berisi escape yang tidak sah' },
  jsonControl: { en: 'a text has a control character', id: 'sebuah teks berisi karakter kendali' },
  jsonMalformed: { en: 'it is malformed', id: 'tidak sah' },
} as const satisfies Record<string, SentenceRow>;
