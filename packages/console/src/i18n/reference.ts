import { translated } from './translated.ts';

export const reference = translated({
  lead: [
    'All endpoints of this server, from its openapi.json. Sign in to send calls from this page.',
    'Semua endpoint server ini, dari openapi.json miliknya; deskripsi field berbahasa Inggris. Masuk untuk mengirim panggilan dari halaman ini.',
  ],
  endpoints: ['Endpoints', 'Endpoint'],
  filter: ['Filter endpoints', 'Saring endpoint'],
  nothing: ['No endpoint matches.', 'Tidak ada endpoint yang cocok.'],
  signedIn: ['Calls from this page use your token.', 'Panggilan dari halaman ini memakai token Anda.'],
  signIn: ['Sign in to send', 'Masuk untuk mengirim'],
  noFields: ['No fields.', 'Tanpa field.'],
  required: ['required', 'wajib'],
  optional: ['optional', 'opsional'],
  form: [
    'The same fields may be a form (`multipart/form-data`) with the pictures as files.',
    'Kolom yang sama boleh dikirim sebagai formulir (`multipart/form-data`) dengan gambar sebagai berkas.',
  ],
  code: ['Language of the code', 'Bahasa kode'],
  errors: ['Refusals', 'Penolakan'],
  tryIt: ['Send a call', 'Kirim panggilan'],
  send: ['Send', 'Kirim'],
  sending: ['Sending …', 'Mengirim …'],
  sendWarning: [
    'This call changes or deletes data of your client.',
    'Panggilan ini mengubah atau menghapus data klien Anda.',
  ],
  default: ['default {value}', 'bawaan {value}'],
  also: ['also {methods}', 'juga {methods}'],
  notSet: ['not sent', 'tidak dikirim'],
  badJson: ['{field} is not valid JSON.', '{field} bukan JSON yang valid.'],
  open: ['Needs no token.', 'Tidak perlu token.'],
  others: ['Others', 'Lainnya'],
  optionalFields: ['{count} optional fields', '{count} field opsional'],
});
