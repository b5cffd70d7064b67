import { translated } from './translated.ts';

export const liveness = translated({
  lead: [
    'Follow the steps before the camera. They are random, so that a recording passes less easily, though it may.',
    'Ikuti langkah di depan kamera. Langkahnya acak, sehingga rekaman lebih sulit lulus, walau mungkin.',
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
  expires: ['Valid until {time}.', 'Berlaku sampai {time}.'],
  tokenGone: [
    'Its liveness token is used or has expired: nobody can be enrolled with it.',
    'Token liveness-nya sudah dipakai atau kedaluwarsa: tidak ada yang dapat didaftarkan dengannya.',
  ],
  tokenExpired: [
    'The liveness token has expired at {time}. To enrol, do another session.',
    'Token liveness kedaluwarsa pada {time}. Untuk mendaftarkan, jalani sesi lain.',
  ],
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
  link: ['Send a link', 'Kirim tautan'],
  linkHint: [
    'Somebody does the session on their own phone; the result appears here, while this tab is open.',
    'Seseorang menjalani sesi di ponselnya sendiri; hasilnya muncul di sini selama tab ini terbuka.',
  ],
  makeLink: ['Make a link', 'Buat tautan'],
  linkName: ['Name of the link', 'Nama tautan'],
  linkNameHint: [
    'No face is compared with it. A newer link for the same person, or for anybody under the same name, ends the earlier one.',
    'Wajah tidak dibandingkan dengannya. Tautan baru untuk orang yang sama, atau untuk siapa saja dengan nama yang sama, mengakhiri yang lama.',
  ],
  valid: ['Valid for', 'Berlaku selama'],
  anyone: ['Anybody', 'Siapa saja'],
  qr: ['QR code of the link {name}', 'Kode QR tautan {name}'],
  linkInsecure: [
    'This link begins with {origin}. Phones open the camera only over HTTPS, at an address that they reach: the operator sets it as WAJAH_PUBLIC_URL.',
    'Tautan ini berawal dengan {origin}. Ponsel membuka kamera hanya lewat HTTPS, di alamat yang dapat dijangkaunya: operator mengaturnya sebagai WAJAH_PUBLIC_URL.',
  ],
  state_waiting: ['waiting', 'menunggu'],
  state_open: ['under way', 'berlangsung'],
  state_failed: ['not passed', 'tidak lulus'],
  state_expired: ['expired', 'kedaluwarsa'],
  passedAs: ['passed: the face of {name}', 'lulus: wajah {name}'],
  passedUnknown: [
    'liveness passed, face compared with nobody',
    'liveness lulus, wajah tidak dibandingkan dengan siapa pun',
  ],
  unseen: [
    'Nobody here has seen this face: its frame stays sealed until it is enrolled. Enrol it only where you know who passed.',
    'Wajah ini belum dilihat siapa pun di sini: frame-nya tetap disegel sampai didaftarkan. Daftarkan hanya bila Anda tahu siapa yang lulus.',
  ],
  state_ended: ['ended by a newer link', 'diakhiri tautan baru'],
  state_erased: ['ended: the person was erased', 'berakhir: orangnya sudah dihapus'],
  state_suspended: ['ended: the person is suspended', 'berakhir: orangnya ditangguhkan'],
  state_gone: [
    'ended: the server has this check no longer',
    'berakhir: server tidak lagi memiliki pemeriksaan ini',
  ],
});
