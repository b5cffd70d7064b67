import { translated } from './translated.ts';

/** What is asked about a picture, and what a similarity score means. */
export const recognise = translated({
  lead: [
    'Give a picture and choose what to ask about it. It is not stored.',
    'Berikan gambar dan pilih pertanyaannya. Gambarnya tidak disimpan.',
  ],
  question: ['Question', 'Pertanyaan'],
  mode_who: ['Who is it?', 'Siapa ini?'],
  'mode_is-it': ['Is it this person?', 'Orang ini?'],
  mode_compare: ['Compare two', 'Bandingkan'],
  mode_measure: ['Measure', 'Ukur'],
  personHint: ['Type a name or ID', 'Ketik nama atau ID'],
  choosePerson: ['Choose a person', 'Pilih seseorang'],
  choosePersonText: [
    'Type a part of the name or ID above, then choose from the list.',
    'Ketik sebagian nama atau ID di atas, lalu pilih dari daftar.',
  ],
  isIt: ['Is it {name}?', 'Apakah ini {name}?'],
  isItText: [
    'Give a picture: its largest face is compared with this person.',
    'Berikan gambar: wajah terbesarnya dibandingkan dengan orang ini.',
  ],
  nobodyEnrolled: ['Nobody is enrolled', 'Belum ada orang terdaftar'],
  nobodyEnrolledText: [
    'Faces are searched among the people of a gallery. Enrol somebody first.',
    'Wajah dicari di antara orang dalam galeri. Daftarkan seseorang dahulu.',
  ],
  openGalleries: ['Open Galleries', 'Buka Galeri'],
  enrolIn: ['Enrol people in {name}', 'Daftarkan orang ke {name}'],
  empty: ['Search for the faces of a picture', 'Cari wajah dalam gambar'],
  emptyText: [
    'Choose a picture, or use the camera. The result shows each face with the five most similar people.',
    'Pilih gambar, atau pakai kamera. Hasilnya menampilkan setiap wajah dengan lima orang yang paling mirip.',
  ],
  emptyFirst: [
    'Nobody is enrolled in this gallery yet. Give a picture with a face, and say who it is.',
    'Belum ada yang terdaftar di galeri ini. Berikan gambar dengan wajah, lalu sebutkan siapa orangnya.',
  ],
  trySamples: ['Try it with drawn people', 'Coba dengan orang gambar buatan'],
  drawnOnly: [
    'This gallery is of drawn people. Choose another one to enrol this face.',
    'Galeri ini berisi orang gambar buatan. Pilih galeri lain untuk mendaftarkan wajah ini.',
  ],
  whoIsThis: ['Who is this?', 'Siapa ini?'],
  whoIsFace: ['Who is face {number}?', 'Siapa wajah {number}?'],
  whoHint: [
    'This face is enrolled in {gallery} by that name.',
    'Wajah ini didaftarkan di {gallery} dengan nama itu.',
  ],
  enrol: ['Enrol', 'Daftarkan'],
  enrolling: ['Enrolling …', 'Mendaftarkan …'],
  searching: ['Searching …', 'Mencari …'],
  again: ['Ask again', 'Tanya lagi'],
  nobody: ['Nobody is identified', 'Tidak ada yang dikenali'],
  identified: [
    (identified: number, faces: number) =>
      `${identified} of ${faces} ${faces === 1 ? 'face' : 'faces'} identified.`,
    (identified: number, faces: number) => `${identified} dari ${faces} wajah dikenali.`,
  ],
  unknown: ['Not identified', 'Tidak dikenali'],
  noMatch: ['Below the threshold', 'Di bawah ambang'],
  mostSimilar: ['Most similar', 'Paling mirip'],
  noCandidate: ['No further candidate', 'Tidak ada kandidat lain'],
  tooSmall: ['Face too small', 'Wajah terlalu kecil'],
  candidates: ['Candidates', 'Kandidat'],
  fmr: ['FMR 1 in {count}', 'FMR 1 dari {count}'],
  fmrNearOne: ['FMR near 1', 'FMR mendekati 1'],
  fmrBetter: ['FMR better than 1 in {count}', 'FMR lebih baik dari 1 dari {count}'],
  isSame: ['Match with {name}', 'Cocok dengan {name}'],
  isProbably: ['This is probably {name}', 'Ini kemungkinan besar {name}'],
  isUnsure: ['Unsure whether this is {name}', 'Belum pasti ini {name}'],
  isDifferent: ['This is probably not {name}', 'Ini kemungkinan besar bukan {name}'],
  largest: [
    'Of several faces the largest is compared.',
    'Dari beberapa wajah, yang terbesar yang dibandingkan.',
  ],
  verifyHint: [
    'In force: that of the gallery. Move it to see what another one would decide.',
    'Sedang berlaku: ambang galeri. Geser untuk melihat keputusan dengan ambang lain.',
  ],
  furtherCandidates: [
    (count: number) =>
      count === 1 ? '1 person who is less similar' : `${count} people who are less similar`,
    (count: number) => `${count} orang yang kurang mirip`,
  ],
  unclear: ['Unclear face', 'Wajah kurang jelas'],
  rule_size: ['Size', 'Ukuran'],
  rule_sharpness: ['Sharpness', 'Ketajaman'],
  rule_brightness: ['Brightness', 'Kecerahan'],
  rule_contrast: ['Contrast', 'Kontras'],
  rule_pose: ['Frontal', 'Menghadap depan'],
  rule_cropped: ['Complete', 'Utuh'],
  thresholdHint: [
    'In force: it rises with the people of the gallery and the unknown faces of the picture, so that few strangers are identified. Move it to see what another one would decide.',
    'Sedang berlaku: naik mengikuti jumlah orang di galeri dan wajah tak dikenal di gambar, agar sedikit orang asing yang dikenali. Geser untuk melihat keputusan dengan ambang lain.',
  ],
  thresholdMoved: [
    'Shown with this threshold on this page only.',
    'Ditampilkan dengan ambang ini hanya di halaman ini.',
  ],
  thresholdBack: ['Back to {value}', 'Kembali ke {value}'],
  call: ['Request and answer', 'Permintaan dan jawaban'],
  curl: ['Command', 'Perintah'],
  curlHint: [
    'Run it in the folder of the picture, with an API token in TOKEN.',
    'Jalankan di folder gambar itu, dengan token API di TOKEN.',
  ],
  copy: ['Copy: {what}', 'Salin: {what}'],
  pictureOf: [
    (name: string, faces: number) => `${name}, ${faces} ${faces === 1 ? 'face' : 'faces'} detected`,
    (name: string, faces: number) => `${name}, ${faces} wajah terdeteksi`,
  ],
  more: ['{shown} of {found} faces are shown.', '{shown} dari {found} wajah ditampilkan.'],
  first: ['First picture', 'Gambar pertama'],
  second: ['Second picture', 'Gambar kedua'],
  comparing: ['Comparing …', 'Membandingkan …'],
  compareEmpty: ['Compare two pictures', 'Bandingkan dua gambar'],
  compareEmptyText: [
    'Choose two pictures. The largest face of each is compared.',
    'Pilih dua gambar. Wajah terbesar dari masing-masing dibandingkan.',
  ],
  compareSamples: ['Try two samples', 'Coba dua contoh'],
  similarity: ['Similarity score', 'Skor kemiripan'],
  same: ['Match', 'Cocok'],
  sameText: [
    'The score reaches the threshold. Pairs of two people do so too, as often as the false match rate says.',
    'Skor mencapai ambang. Pasangan dua orang pun begitu, sesering tingkat salah cocok (FMR).',
  ],
  probably: ['Probably the same', 'Kemungkinan besar sama'],
  probablyText: [
    'The score is a little below the threshold: no match, though more pairs of one person than of two score so. Try another picture.',
    'Skor sedikit di bawah ambang: tidak cocok, walau skor seperti ini lebih sering berasal dari satu orang daripada dua orang. Coba gambar lain.',
  ],
  unsure: ['Unsure', 'Belum pasti'],
  unsureText: [
    'The score is below the threshold: no match. Pairs of one person and pairs of two people score so.',
    'Skor di bawah ambang: tidak cocok. Skor seperti ini bisa berasal dari satu orang atau dua orang.',
  ],
  different: ['Probably different people', 'Kemungkinan besar orang berbeda'],
  differentText: [
    'The score is far below the threshold: no match. Few pairs of one person score so low.',
    'Skor jauh di bawah ambang: tidak cocok. Jarang satu orang mendapat skor serendah ini.',
  ],
  rates: ['False match rate (FMR)', 'Tingkat salah cocok (FMR)'],
  masked: [
    'A face wears a mask. The similarity score is less reliable.',
    'Ada wajah bermasker. Skor kemiripan kurang andal.',
  ],
  oneIn: [
    (count: string) =>
      `False match rate 1 in ${count}: of ${count} pairs of two people one reaches this score.`,
    (count: string) =>
      `Tingkat salah cocok 1 dari ${count}: dari ${count} pasangan dua orang satu mencapai skor ini.`,
  ],
  mostPairs: [
    'False match rate near 1: most pairs of two people reach this score.',
    'Tingkat salah cocok mendekati 1: sebagian besar pasangan dua orang mencapai skor ini.',
  ],
  betterThan: [
    (count: string) => `FMR better than 1 in ${count}; below that it is an estimate.`,
    (count: string) => `FMR lebih baik dari 1 dari ${count}; di bawah itu hanya perkiraan.`,
  ],
  thresholdAt: ['Threshold {value}', 'Ambang {value}'],
  scaleText: [
    'The similarity score is calibrated on impostor pairs, which show two people: each 0.125 lowers the false match rate (FMR) by a factor of ten, with every model.',
    'Skor kemiripan dikalibrasi pada pasangan impostor, yaitu gambar dua orang: setiap 0,125 menurunkan tingkat kecocokan salah (FMR) sepuluh kali, dengan model apa pun.',
  ],
  samples: ['Sample pictures', 'Gambar contoh'],
  samplesHint: [
    'Or try a sample; these people are drawn.',
    'Atau coba contoh; orang-orang ini gambar buatan.',
  ],
  sampleFront: ['One face', 'Satu wajah'],
  sampleTeam: ['Three people', 'Tiga orang'],
  sampleLeft: ['Turned', 'Menoleh'],
  sampleDark: ['Dark, blurred', 'Gelap, kabur'],
});

/** The view of a door or desk: the camera names people as they appear. */
export const door = translated({
  title: ['Door view', 'Tampilan pintu'],
  lead: [
    'The camera stays on and names people as they appear, for a door or a desk.',
    'Kamera tetap menyala dan menyebut nama orang yang datang, untuk pintu atau meja penerima tamu.',
  ],
  sound: ['Sound for yes and no', 'Suara untuk ya dan tidak'],
  start: ['Start', 'Mulai'],
  calls: [
    'One picture is sent after another, each an API call that counts towards the quota. When the server is busy the view waits longer.',
    'Gambar dikirim satu demi satu, masing-masing satu panggilan API yang mengurangi kuota. Bila server sibuk, tampilan menunggu lebih lama.',
  ],
  privacy: [
    'Names and times are kept in this tab only, and are gone when it is closed or reloaded, or you sign out: save the list as CSV before. The server counts each call without the person.',
    'Nama dan waktu hanya disimpan di tab ini, dan hilang bila tab ditutup atau dimuat ulang, atau Anda keluar: simpan dahulu daftarnya sebagai CSV. Server menghitung setiap panggilan tanpa orangnya.',
  ],
  noLiveness: [
    'A photo held before the camera is named too. To open a door, require a liveness session.',
    'Foto yang ditunjukkan ke kamera juga dikenali. Untuk membuka pintu, gunakan sesi liveness.',
  ],
  leave: ['Leave', 'Keluar dari tampilan'],
  mute: ['Switch the sound off', 'Matikan suara'],
  unmute: ['Switch the sound on', 'Nyalakan suara'],
  looking: ['Look at the camera', 'Lihat ke kamera'],
  closer: ['Come closer', 'Mendekatlah'],
  no: ['Not recognised', 'Tidak dikenali'],
  cameraLost: ['The camera is gone', 'Kamera terputus'],
  cameraLostText: [
    'Connect it again. The view goes on by itself.',
    'Sambungkan kembali. Tampilan berlanjut dengan sendirinya.',
  ],
  busy: ['The server is busy', 'Server sedang sibuk'],
  again: ['Next attempt after {seconds} s.', 'Dicoba lagi setelah {seconds} detik.'],
  log: ['Today', 'Hari ini'],
  logEmpty: ['Nobody yet.', 'Belum ada.'],
  showLog: ['Show the log', 'Tampilkan catatan'],
  hideLog: ['Hide the log', 'Sembunyikan catatan'],
});
