import { translated } from './translated.ts';

export const keys = translated({
  title: ['API tokens', 'Token API'],
  lead: [
    'Fixed tokens for programs. Give each program its own token with the scopes that it needs.',
    'Token tetap untuk program. Beri setiap program token sendiri dengan cakupan (scope) seperlunya.',
  ],
  create: ['New token', 'Token baru'],
  nameHint: ['The program that uses it, for example door-7.', 'Program yang memakainya, misalnya pintu-7.'],
  scopes: ['Scopes', 'Cakupan (scope)'],
  scopesHint: [
    'A token that is lost can do what you tick here. Tick as little as the program needs.',
    'Token yang hilang dapat melakukan yang Anda centang di sini. Centang sesedikit mungkin.',
  ],
  scope_recognise: [
    'Detect, verify, identify and compare faces; liveness.',
    'Mendeteksi, memverifikasi, mengidentifikasi, dan membandingkan wajah; liveness.',
  ],
  scope_enrol: ['Enrol and delete people.', 'Mendaftarkan dan menghapus orang.'],
  scope_read: [
    'Read galleries, people, quotas and activity.',
    'Membaca galeri, orang, kuota, dan aktivitas.',
  ],
  scope_pictures: [
    'Read the stored crops of enrolled faces.',
    'Membaca gambar wajah terdaftar yang disimpan.',
  ],
  scope_webhooks: [
    'Create, change, test and delete webhooks, which are sent what calls find.',
    'Membuat, mengubah, menguji, dan menghapus webhook, yang menerima hasil panggilan.',
  ],
  scope_manage: [
    'Create, change and delete galleries and tokens.',
    'Membuat, mengubah, dan menghapus galeri serta token.',
  ],
  scope_diagnostics: [
    'See what liveness sessions measured, and spoof figures. Never give it to a page or an app.',
    'Melihat hasil ukur sesi liveness dan angka spoof. Jangan berikan kepada halaman atau aplikasi.',
  ],
  scope_operate: [
    'List, create and delete clients, by an operator. Others cannot grant it.',
    'Melihat, membuat, dan menghapus klien, oleh operator. Yang lain tidak dapat memberikannya.',
  ],
  expires: ['Expires', 'Kedaluwarsa'],
  days30: ['in 30 days', 'dalam 30 hari'],
  days90: ['in 90 days', 'dalam 90 hari'],
  days365: ['in a year', 'dalam setahun'],
  never: ['never', 'tidak pernah'],
  createButton: ['Create token', 'Buat token'],
  createdTitle: ['Copy the token now', 'Salin token sekarang'],
  createdText: [
    'The token is shown only once. The server stores a digest of it.',
    'Token hanya ditampilkan sekali. Server hanya menyimpan digest-nya.',
  ],
  list: ['Tokens', 'Token'],
  empty: ['No API tokens', 'Belum ada token API'],
  emptyText: [
    'Programs can also request a token that expires, after a day by default, with client ID and password.',
    'Program juga dapat meminta token yang kedaluwarsa, bawaannya setelah sehari, dengan client ID dan kata sandi.',
  ],
  lastUsed: ['Last used', 'Terakhir dipakai'],
  neverUsed: ['never', 'belum pernah'],
  active: ['active', 'aktif'],
  expired: ['expired', 'kedaluwarsa'],
  revoked: ['revoked', 'dicabut'],
  revoke: ['Revoke', 'Cabut'],
  revokeOf: ['Revoke {name}', 'Cabut {name}'],
  revokeTitle: ['Revoke “{name}”?', 'Cabut “{name}”?'],
  revokeText: [
    'Programs that use this token are refused immediately.',
    'Program yang memakai token ini langsung ditolak.',
  ],
});
