import type * as Table from '@wajah/contract/refusals';

/** Title and advice of a status in Indonesian; in English the server has both. */
export const indonesianRefusals: Readonly<Record<string, readonly [title: string, advice: string]>> = {
  '200': ['Wajah tidak diterima', 'Panggilan dijawab, tetapi wajahnya tidak diterima.'],
  '400': ['Permintaan tidak sah', 'Perbaiki isian yang disebut, lalu kirim lagi.'],
  '401': ['Token tidak diterima', 'Masuk lagi, atau pakai token lain.'],
  '403': [
    'Tidak diizinkan',
    'Klien ini tidak berhak, belum terdaftar, atau kuotanya habis. Operator server dapat mengubahnya.',
  ],
  '404': ['Alamat tidak dikenal', 'Tidak ada endpoint di alamat ini.'],
  '405': ['Metode tidak diizinkan', 'Endpoint ini memakai metode HTTP yang lain.'],
  '409': ['Sudah terdaftar', 'Ganti, tambahkan, atau hapus yang sudah terdaftar.'],
  '411': ['Wajah tidak dikenali', 'Tidak ada orang di galeri yang mencapai ambang.'],
  '412': ['Wajah tidak terdeteksi', 'Kirim gambar yang menampilkan wajah utuh, tegak, dan cukup terang.'],
  '413': ['Wajah terlalu kecil', 'Mendekatlah, atau kirim gambar yang lebih besar.'],
  '414': ['Kualitas wajah terlalu rendah', 'Ambil gambar lain: terang, tajam, menghadap depan.'],
  '415': ['Orang tidak ditemukan', 'Tidak ada orang dengan user_id ini di galeri.'],
  '416': ['Galeri tidak ditemukan', 'Anda tidak memiliki galeri dengan nama ini.'],
  '417': ['Galeri sudah ada', 'Pilih nama lain, atau pakai galeri yang ada.'],
  '418': ['Sesi tidak ditemukan', 'Mulai sesi liveness yang baru.'],
  '419': ['Sesi sudah dinilai', 'Sebuah sesi dinilai sekali. Mulai sesi yang baru.'],
  '420': ['Sesi kedaluwarsa', 'Waktu sesi habis. Mulai sesi yang baru.'],
  '421': ['Liveness belum terbukti', 'Galeri ini mewajibkan token dari sesi liveness yang lulus.'],
  '422': ['Token tidak ditemukan', 'Anda tidak memiliki token API ini.'],
  '423': ['Persetujuan belum ada', 'Galeri ini mewajibkan rujukan persetujuan orangnya.'],
  '424': [
    'Orang ditangguhkan',
    'Orang ini disimpan, tetapi tidak dicocokkan sampai penangguhannya diakhiri.',
  ],
  '425': ['Webhook tidak ditemukan', 'Klien ini tidak memiliki webhook dengan id tersebut.'],
  '429': ['Terlalu banyak permintaan', 'Tunggu sebentar, lalu coba lagi.'],
  '451': ['image kosong', 'Kirim gambar.'],
  '452': ['user_id kosong', 'Isi user_id.'],
  '453': ['user_name kosong', 'Isi nama.'],
  '454': ['facegallery_id kosong', 'Isi nama galeri.'],
  '455': ['target_image kosong', 'Kirim gambar kedua.'],
  '456': ['source_image kosong', 'Kirim gambar pertama.'],
  '490': ['Gambar bukan base64', 'Kirim gambar sebagai base64.'],
  '491': ['Jenis gambar tidak dikenal', 'Kirim gambar JPEG atau PNG.'],
  '492': ['Gambar kedua bukan base64', 'Kirim gambar sebagai base64.'],
  '493': ['Gambar rusak atau terlalu besar', 'Kirim gambar lain, atau yang lebih kecil.'],
  '494': ['Gambar pertama bukan base64', 'Kirim gambar sebagai base64.'],
  '495': ['Jenis gambar pertama tidak dikenal', 'Kirim gambar JPEG atau PNG.'],
  '500': ['Kesalahan server', 'Log server menjelaskan lebih banyak di bawah nomor transaksi ini.'],
  '503': ['Server sibuk', 'Tidak ada yang ditulis. Coba lagi sebentar lagi.'],
};

/** The part of the contract's table that is needed. */
type Rows = Readonly<Record<string, { readonly en: string; readonly status?: string }>>;
type Found = { readonly code: string; readonly params: Readonly<Record<string, unknown>> };

/** A placeholder of a sentence. */
const slot = /\{(\w+)(?::(\w+\??))?\}/;
const separators: Readonly<Record<string, string>> = { list: ', ', rules: '; ', sentences: '. ' };

/**
 * The detail of a refusal in Indonesian: by its code, or, of a record, which keeps the English sentence alone, by the
 * row of the table whose sentence it is.
 * @param status name of the row of the status table
 * @returns undefined where the table has no such sentence
 */
export function indonesianDetail(
  { refusals, phrases, refusalSentence }: typeof Table,
  refusal: { readonly answer: object; readonly status: string; readonly detail: string },
): string | undefined {
  const told = refusalSentence(refusal.answer, 'id');
  if (told !== undefined) return told;
  const rows = Object.entries<Rows[string]>(refusals).filter(([, { status }]) => status === refusal.status);
  const found = rowOf(Object.fromEntries(rows), refusal.detail, phrases);
  return found && refusalSentence({ error: found.code, params: found.params }, 'id');
}

/** The row whose English sentence a text is; of several the one that leaves the least of it to its parameters. */
function rowOf(rows: Rows, text: string, phrases: Rows): Found | undefined {
  let best: (Found & { readonly open: number }) | undefined;
  for (const [code, { en }] of Object.entries(rows)) {
    // The name and the format of each placeholder stand between the fixed parts.
    const parts = en.split(slot);
    const fixed = parts.filter((_, at) => at % 3 === 0);
    const open = text.length - fixed.join('').length;
    const values = open < text.length ? between(fixed, text) : undefined;
    if (values === undefined || (best && best.open <= open)) continue;
    const params = values.map((value, at) => [parts[3 * at + 1], valueIn(value, parts[3 * at + 2], phrases)]);
    best = { code, params: Object.fromEntries(params), open };
  }
  return best;
}

/** What stands between fixed parts of a text, each part at its first place; undefined: it has other parts. */
function between(fixed: readonly string[], text: string): string[] | undefined {
  const quoted = fixed.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  // Of two parameters without a part between them the second may be left out.
  const pattern = quoted.join('(.*?)').replaceAll('(.*?)(.*?)', '(.*)(.*?)');
  return new RegExp(`^${pattern}$`, 's').exec(text)?.slice(1);
}

function valueIn(text: string, format = '', phrases: Rows): unknown {
  const separator = separators[format];
  if (separator !== undefined) return text.split(separator).map((one) => rowOf(phrases, one, phrases) ?? one);
  if (format.startsWith('phrase')) return rowOf(phrases, text, phrases) ?? text;
  return /^(json|person|quoted)$/.test(format) ? text.slice(1, -1) : text;
}
