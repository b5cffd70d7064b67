import type { RefusalRow, SentenceRow } from './sentence.ts';

/** Refusals of enrolling, and of reading what is enrolled. */
export const enrolmentRefusals = {
  cardBelowMinimum: {
    status: 'notRecognized',
    en: 'image: the face and the one on the card have a similarity of {similarity:similarity}, the minimum is {minimum:similarity} (minimum_similarity); nothing was stored; {advice:phrase}',
    id: 'image: kemiripan wajah dengan wajah di kartu {similarity:similarity}, paling sedikit {minimum:similarity} (minimum_similarity); tidak ada yang disimpan; {advice:phrase}',
  },
  cardIsPicture: {
    status: 'malformed',
    en: 'ktp_image: it is the same picture as image, which says nothing of a card; nothing was stored; send the card',
    id: 'ktp_image: gambarnya sama dengan image, yang tidak mengatakan apa pun tentang kartu; tidak ada yang disimpan; kirim kartunya',
  },
  cardFaceMissing: {
    status: 'faceNotDetected',
    en: '[[{field}: ]]found {found:phrase}; send a selfie that shows face and card sharp and large, or the card as ktp_image',
    id: '[[{field}: ]]ditemukan {found:phrase}; kirim swafoto yang menampilkan wajah dan kartu dengan tajam dan besar, atau kartunya sebagai ktp_image',
  },
  galleryWrittenTooFast: {
    status: 'busy',
    en: 'facegallery_id: others write to this gallery too fast for check_duplicate, append or a new name; try again',
    id: 'facegallery_id: galeri ini sedang ditulis pihak lain terlalu cepat untuk check_duplicate, append, atau nama baru; coba lagi',
  },
  appendedDiffers: {
    status: 'notRecognized',
    en: 'append: the face and the pictures of this user_id have a similarity of {similarity:similarity} at best, the threshold is {threshold:similarity}; nothing was stored; check whose face the picture shows[[, and send force_register: true only if it is this person]]',
    id: 'append: kemiripan wajah dengan gambar-gambar user_id ini paling tinggi {similarity:similarity}, ambangnya {threshold:similarity}; tidak ada yang disimpan; periksa wajah siapa di gambar itu[[, dan kirim force_register: true hanya bila memang orang ini]]',
  },
  tooManyPictures: {
    status: 'userExists',
    en: 'append: this user_id has {count} faces in the gallery, at most {most} are allowed; remove one of them with delete-face-picture, or send replace: true to replace all of them by this one',
    id: 'append: user_id ini sudah punya {count} wajah di galeri, paling banyak {most}; hapus salah satunya dengan delete-face-picture, atau kirim replace: true untuk mengganti semuanya dengan yang ini',
  },
  faceEnrolled: {
    status: 'userExists',
    en: 'image: this face looks like that of user_id {duplicate_user_id:person} (similarity {similarity:similarity}, threshold {threshold:similarity}), which does not prove that both are one person[[; same person: send that user_id with its user_name and append: true to add the picture; different people: send check_duplicate: false to enrol this one too]]',
    id: 'image: wajah ini mirip wajah user_id {duplicate_user_id:person} (kemiripan {similarity:similarity}, ambang {threshold:similarity}), yang bukan bukti bahwa keduanya satu orang[[; orang yang sama: kirim user_id itu dengan user_name-nya dan append: true untuk menambahkan gambarnya; orang berbeda: kirim check_duplicate: false untuk mendaftarkan yang ini juga]]',
  },
  faceSuspended: {
    status: 'userExists',
    en: 'image: this face looks like that of user_id {duplicate_user_id:person}, who is suspended: stored, and not matched (similarity {similarity:similarity}, threshold {threshold:similarity}); this does not prove that both are one person[[; same person: do not enrol again, which would match the person in spite of it; resume-person ends a suspension; different people: send check_duplicate: false to enrol this one]]',
    id: 'image: wajah ini mirip wajah user_id {duplicate_user_id:person}, yang ditangguhkan: disimpan, tetapi tidak dicocokkan (kemiripan {similarity:similarity}, ambang {threshold:similarity}); itu bukan bukti bahwa keduanya satu orang[[; orang yang sama: jangan daftarkan lagi, karena orangnya akan tetap dicocokkan; resume-person mengakhiri penangguhan; orang berbeda: kirim check_duplicate: false untuk mendaftarkan yang ini]]',
  },
  userEnrolled: {
    status: 'userExists',
    en: 'user_id: this user_id has a face in the gallery already[[; same person: send append: true to add this picture, or replace: true to replace what is enrolled; another person: send another user_id]]',
    id: 'user_id: user_id ini sudah punya wajah di galeri[[; orang yang sama: kirim append: true untuk menambahkan gambar ini, atau replace: true untuk mengganti yang terdaftar; orang lain: kirim user_id lain]]',
  },
  faceQuotaUsedUp: {
    status: 'denied',
    en: 'n_face: the number of faces that this client may enrol is used up; ask the operator for more',
    id: 'n_face: kuota wajah klien ini habis; minta tambahan kepada operator',
  },
  appendAndReplace: {
    status: 'malformed',
    en: 'append: replace was sent as well; allowed is one of the two',
    id: 'append: replace juga dikirim; yang diizinkan hanya salah satunya',
  },
  noCropKept: {
    status: 'denied',
    en: 'user_id: no face crop is kept of this user; crops are kept of faces that are enrolled while the gallery keeps them (keep_crops), where the operator allows it (WAJAH_KEEP_FACE_CROPS)',
    id: 'user_id: potongan wajah orang ini tidak disimpan; potongan disimpan dari wajah yang didaftarkan selama galeri menyimpannya (keep_crops), bila operator mengizinkan (WAJAH_KEEP_FACE_CROPS)',
  },
  lastPicture: {
    status: 'denied',
    en: 'picture_id: this is the only picture of the user; add another one first; delete-face erases the whole user',
    id: 'picture_id: ini satu-satunya gambar orang ini; tambahkan gambar lain dulu; delete-face menghapus orangnya seluruhnya',
  },
  facesCursor: {
    status: 'malformed',
    en: 'cursor: it is no next_cursor of list-faces; send that of the previous page, or none for the first page',
    id: 'cursor: bukan next_cursor dari list-faces; kirim yang dari halaman sebelumnya, atau kosongkan untuk halaman pertama',
  },
} as const satisfies Record<string, RefusalRow>;

export const enrolmentPhrases = {
  takeMaskOff: { en: 'take the mask off', id: 'lepas maskernya' },
  sendSharper: {
    en: 'send sharper, well lit pictures of face and card',
    id: 'kirim gambar wajah dan kartu yang lebih tajam dan terang',
  },
  withoutOthers: {
    en: '{found} faces were found, and the most similar ones of them taken; send a picture of the person and the card alone',
    id: '{found} wajah ditemukan, dan yang paling mirip diambil; kirim gambar orang dan kartunya saja',
  },
  onlyThePerson: {
    en: 'only one face, which is taken for the person, and none on a card',
    id: 'hanya satu wajah, yang dianggap wajah orangnya, dan tidak ada di kartu',
  },
  noFaceOfPerson: { en: 'no face of the person', id: 'tidak ada wajah orangnya' },
  noFaceOnCard: { en: 'no face on the card', id: 'tidak ada wajah di kartu' },
  neitherFace: {
    en: 'no face, neither of the person nor on the card',
    id: 'tidak ada wajah, baik wajah orangnya maupun di kartu',
  },
} as const satisfies Record<string, SentenceRow>;
