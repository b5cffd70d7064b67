import { translated } from './translated.ts';

export const clients = translated({
  title: ['Clients', 'Klien'],
  lead: [
    'The programs and people that may call this server. What they enrol is theirs: only counts are shown here.',
    'Program dan orang yang boleh memanggil server ini. Yang mereka daftarkan milik mereka: di sini hanya ada jumlahnya.',
  ],
  list: ['All clients', 'Semua klien'],
  idHint: [
    'Letters, digits and . _ @ -, for example door-7.',
    'Huruf, angka, dan . _ @ -, misalnya pintu-7.',
  ],
  operator: ['operator', 'operator'],
  usedOf: ['{used} of {limit}', '{used} dari {limit}'],
  ofCommand: ['by {command}, on the server', 'dengan {command}, di server'],
  quota: ['Quotas', 'Kuota'],
  quotaOf: ['Quotas of {client}', 'Kuota {client}'],
  quotaHint: ['-1 is unlimited.', '-1 berarti tak terbatas.'],
  reset: ['Reset password', 'Setel ulang kata sandi'],
  resetOf: ['Reset password of {client}', 'Setel ulang kata sandi {client}'],
  resetText: [
    'Its password and all of its tokens are refused at once: programs that use them stop until they have the new password.',
    'Kata sandi dan semua tokennya langsung ditolak: program yang memakainya berhenti sampai mendapat kata sandi baru.',
  ],
  resetDone: ['The new password of {client}', 'Kata sandi baru {client}'],
  create: ['New client', 'Klien baru'],
  createButton: ['Create client', 'Buat klien'],
  createDone: ['The password of {client}', 'Kata sandi {client}'],
  onceText: [
    'It is shown only once; the server stores a hash of it. Give it to whoever signs in or calls as this client.',
    'Hanya ditampilkan sekali; server hanya menyimpan hash-nya. Berikan kepada yang masuk atau memanggil sebagai klien ini.',
  ],
  removeOf: ['Delete {client}', 'Hapus {client}'],
  removeText: [
    'It loses {galleries} galleries with {faces} faces, its tokens, webhooks and activity. This cannot be undone. Type its client ID to confirm.',
    'Yang hilang: {galleries} galeri dengan {faces} wajah, token, webhook, dan aktivitasnya. Ini tidak dapat dibatalkan. Ketik client ID-nya untuk memastikan.',
  ],
});
