import { translated } from './translated.ts';

/** A refused enrolment: the face looks like somebody else's, or the ID is taken. */
export const looksLike = translated({
  title: ['Looks like {name}: similarity {similarity}', 'Mirip {name}: kemiripan {similarity}'],
  taken: [
    'The ID {userId} is that of {name}: similarity {similarity}',
    'ID {userId} milik {name}: kemiripan {similarity}',
  ],
  takenSuspended: ['The ID {userId} is that of {name}', 'ID {userId} milik {name}'],
  samePicture: ['the same picture', 'gambar yang sama'],
  text: [
    'A similarity is no proof. Compare both pictures, then choose.',
    'Kemiripan bukan bukti. Bandingkan kedua gambar, lalu pilih.',
  ],
  takenText: [
    'Compare both pictures. For another person, change the ID and enrol again.',
    'Bandingkan kedua gambar. Untuk orang lain, ubah ID-nya lalu daftarkan lagi.',
  ],
  suspendedText: [
    '{name} is suspended: stored, and not matched. If this is the same person, do not enrol: the person would be matched again.',
    '{name} ditangguhkan: disimpan, tetapi tidak dicocokkan. Bila orangnya sama, jangan daftarkan: orang itu akan dicocokkan lagi.',
  ],
  newPicture: ['New picture', 'Gambar baru'],
  noFace: ['No face of {name} is kept here.', 'Wajah {name} tidak disimpan di sini.'],
  same: ['Same person: add the picture to {name}', 'Orang yang sama: tambahkan gambarnya ke {name}'],
  keepName: ['Keep the name {name}', 'Pertahankan nama {name}'],
  takeName: ['Take the name {name}', 'Pakai nama {name}'],
  different: ['Different people: enrol', 'Orang berbeda: daftarkan'],
  addTo: ['Different people: add it to {name}', 'Orang berbeda: tambahkan ke {name}'],
  replaceOf: ['Different people: replace the pictures of {name}', 'Orang berbeda: ganti gambar {name}'],
});
