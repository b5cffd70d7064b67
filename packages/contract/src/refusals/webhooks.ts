import type { RefusalRow, SentenceRow } from './sentence.ts';

/** Refusals of webhooks. */
export const webhookRefusals = {
  tooManyWebhooks: {
    status: 'denied',
    en: 'url: you have {most} webhooks, the maximum; delete one that you do not need',
    id: 'url: Anda punya {most} webhook, jumlah terbanyak; hapus yang tidak diperlukan',
  },
  webhookNotFound: {
    status: 'webhookNotFound',
    en: 'webhook_id: you have no webhook of this id; list your webhooks',
    id: 'webhook_id: Anda tidak punya webhook dengan id ini; lihat daftar webhook Anda',
  },
  webhooksOff: {
    status: 'denied',
    en: 'url: this server sends no webhooks; its operator can switch them on with WAJAH_WEBHOOKS=true',
    id: 'url: server ini tidak mengirim webhook; operatornya dapat mengaktifkan dengan WAJAH_WEBHOOKS=true',
  },
  webhookUrl: {
    status: 'malformed',
    en: 'url: found {url:quoted}, which {problem:phrase}',
    id: 'url: ditemukan {url:quoted}, yang {problem:phrase}',
  },
  tooManyTests: {
    status: 'tooManyRequests',
    en: 'webhook_id: found more than {most} tests in a minute; try again in {seconds} s',
    id: 'webhook_id: lebih dari {most} uji dalam satu menit; coba lagi dalam {seconds} detik',
  },
} as const satisfies Record<string, RefusalRow>;

export const webhookPhrases = {
  noUrl: {
    en: 'is no https URL of at most {most} characters',
    id: 'bukan URL https sepanjang paling banyak {most} karakter',
  },
  urlWithCredentials: {
    en: 'has a user name or password, which would be shown in lists',
    id: 'berisi nama pengguna atau kata sandi, yang akan tampil di daftar',
  },
  noHttps: { en: 'is no https URL; send one', id: 'bukan URL https; kirim URL https' },
  forbiddenAddress: {
    en: 'has an address that this server sends nothing to; send an https URL of a public one',
    id: 'beralamat yang tidak dikirimi apa pun oleh server ini; kirim URL https dengan alamat publik',
  },
} as const satisfies Record<string, SentenceRow>;
