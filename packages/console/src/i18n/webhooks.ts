import { translated } from './translated.ts';

export const webhooks = translated({
  title: ['Webhooks', 'Webhook'],
  lead: [
    'Signed events that the server posts to a program of yours.',
    'Peristiwa bertanda tangan yang dikirim server ke program Anda.',
  ],
  empty: ['No webhooks', 'Belum ada webhook'],
  emptyText: [
    'A webhook tells a program at once who was enrolled, verified or identified.',
    'Webhook langsung memberi tahu program siapa yang didaftarkan, diverifikasi, atau diidentifikasi.',
  ],
  create: ['New webhook', 'Webhook baru'],
  createButton: ['Create webhook', 'Buat webhook'],
  url: ['URL', 'URL'],
  urlHint: ['https, of a public address.', 'https, dengan alamat publik.'],
  off: [
    'This server sends no webhooks. Its operator switches them on with:',
    'Server ini tidak mengirim webhook. Operatornya mengaktifkan dengan:',
  ],
  networks: [
    'Private addresses need WAJAH_WEBHOOK_NETWORKS, such as 192.168.1.0/24.',
    'Alamat pribadi memerlukan WAJAH_WEBHOOK_NETWORKS, misalnya 192.168.1.0/24.',
  ],
  types: ['Events', 'Peristiwa'],
  typesHint: ['None ticked: all, also future ones.', 'Tidak ada yang dicentang: semua, juga yang akan ada.'],
  createdTitle: ['Copy the secret now', 'Salin rahasia sekarang'],
  createdText: [
    'The secret signs the events and is shown only once.',
    'Rahasia ini menandatangani peristiwa dan hanya ditampilkan sekali.',
  ],
  stopped: [
    'The receiver answered 410 Gone and gets no events.',
    'Penerima menjawab 410 Gone dan tidak dikirimi peristiwa.',
  ],
  resume: ['Send events again', 'Kirim peristiwa lagi'],
  test: ['Test', 'Uji'],
  testOf: ['Test {url}', 'Uji {url}'],
  delivered: ['Delivered.', 'Terkirim.'],
  notDelivered: ['Not delivered: {reason}', 'Tidak terkirim: {reason}'],
  deliveries: ['Deliveries', 'Pengiriman'],
  deliveriesOf: ['Deliveries to {url}', 'Pengiriman ke {url}'],
  noDeliveries: ['No events yet.', 'Belum ada peristiwa.'],
  pending: ['waiting', 'menunggu'],
  done: ['delivered', 'terkirim'],
  dead: ['given up', 'menyerah'],
  removeOf: ['Delete {url}', 'Hapus {url}'],
  removeText: [
    'The events that wait for it are deleted too.',
    'Peristiwa yang menunggu untuknya ikut dihapus.',
  ],
});
