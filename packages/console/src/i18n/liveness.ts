import { translated } from './translated.ts';

export const liveness = translated({
  lead: [
    'Follow the steps in front of the camera. The server chooses them at random (the challenge), which makes it harder to pass with a recording, and does not rule it out.',
    'Ikuti langkah-langkah di depan kamera. Server memilihnya secara acak (tantangan), sehingga lebih sulit lulus dengan rekaman, tetapi tidak mustahil.',
  ],
  anybody: ['Anybody: liveness only', 'Siapa saja: hanya liveness'],
  somebody: ['An enrolled person: liveness and verification', 'Orang terdaftar: liveness dan verifikasi'],
  steps: [
    'Steps between the first and the last frontal step',
    'Langkah di antara langkah menghadap depan pertama dan terakhir',
  ],
  privacy: [
    'The frames are sent to this server and judged. Of a passed session one is kept, sealed, until its token is used or expires, and traces that find a replay; the others are discarded.',
    'Frame dikirim ke server ini dan dinilai. Dari sesi yang lulus satu disimpan, disegel, sampai tokennya dipakai atau kedaluwarsa, serta jejak untuk menemukan pengulangan; yang lain dibuang.',
  ],
  padMissing: [
    'The model pack pad is not in use on this server: no network looks for printed pictures and screens, and no check passes unless the operator has accepted that (WAJAH_UNCLEAR_SPOOF=accept). The page System tells operators how to install it.',
    'Paket model pad tidak dipakai di server ini: tidak ada jaringan yang mengenali gambar cetak dan layar, dan tidak ada pemeriksaan yang lulus kecuali operator menerimanya (WAJAH_UNCLEAR_SPOOF=accept). Halaman Sistem menunjukkan kepada operator cara memasangnya.',
  ],
  token: ['Liveness token', 'Token liveness'],
  tokenText: [
    'Proves this session for one later call about the same face.',
    'Membuktikan sesi ini untuk satu panggilan berikutnya dengan wajah yang sama.',
  ],
  expires: ['Expires in {seconds} seconds.', 'Kedaluwarsa dalam {seconds} detik.'],
  enrol: ['Enrol with this token', 'Daftarkan dengan token ini'],
  enrolText: [
    'The best frame of the session is enrolled, or another picture of the person who passed. The token can be used once.',
    'Frame terbaik sesi ini didaftarkan, atau gambar lain dari orang yang lulus. Token hanya dapat dipakai sekali.',
  ],
  enrolled: ['{name} is enrolled. The token is used.', '{name} terdaftar. Token sudah dipakai.'],
  result: ['Results of the steps', 'Hasil setiap langkah'],
  step: ['Step', 'Langkah'],
  verdict: ['Detected', 'Terdeteksi'],
  detail: ['Measurements', 'Hasil ukur'],
  embed: [
    'Embed the element in your own page, whose backend forwards the calls:',
    'Pasang elemen ini di halaman Anda; backend halaman itu meneruskan panggilannya:',
  ],
});
