import { area } from './area.ts';

export const login = area(
  {
    title: 'Sign in',
    lead: 'Faces and liveness, on your own server',
    about:
      'Find and judge the faces in a picture, enrol people, check that somebody is really there. Pictures go to this server and nowhere else.',
    point1: 'See what the server sees: every number drawn on the picture and explained',
    point2: 'Keep galleries of people, and see who was refused and why',
    point3: 'Run a liveness session in the browser, as your own users would',
    clientId: 'Client ID',
    password: 'Password',
    submit: 'Sign in',
    busy: 'Signing in …',
    where: 'Where are these?',
    whereText:
      'The first start of the server prints a client “demo” with its password, once. Another client is made on the server with:',
    memory: 'The access token stays in the memory of this page: after a reload you sign in again.',
    expired: 'The session has ended: the token has expired or was revoked. Sign in again.',
    left: 'You are signed out.',
    wrong: 'Client ID or password is not right.',
  },
  {
    title: 'Masuk',
    lead: 'Wajah dan liveness, di server Anda sendiri',
    about:
      'Temukan dan nilai wajah dalam gambar, daftarkan orang, pastikan seseorang benar-benar hadir. Gambar dikirim ke server ini saja.',
    point1: 'Lihat yang dilihat server: setiap angka digambar pada foto dan dijelaskan',
    point2: 'Kelola galeri orang, dan lihat siapa yang ditolak serta alasannya',
    point3: 'Jalankan sesi liveness di peramban, seperti pengguna Anda nanti',
    clientId: 'Client ID',
    password: 'Kata sandi',
    submit: 'Masuk',
    busy: 'Sedang masuk …',
    where: 'Di mana saya mendapatkannya?',
    whereText:
      'Saat pertama kali dijalankan, server mencetak klien “demo” dengan kata sandinya, sekali saja. Klien lain dibuat di server dengan:',
    memory: 'Token akses hanya ada di memori halaman ini: setelah dimuat ulang, masuklah kembali.',
    expired: 'Sesi berakhir: token kedaluwarsa atau dicabut. Silakan masuk lagi.',
    left: 'Anda telah keluar.',
    wrong: 'Client ID atau kata sandi tidak tepat.',
  },
);
