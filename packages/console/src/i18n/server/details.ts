/** Sentences of refusals in Indonesian: what the server writes, and the same with its names and numbers. */
const sentences: readonly (readonly [english: RegExp, indonesian: string])[] = [
  [
    /^(\w+): no face was found in the picture of (\d+)x(\d+) px; .*$/,
    '$1: tidak ada wajah di gambar $2x$3 px; kirim gambar yang menampilkan wajah utuh, tegak, dan terang',
  ],
  [
    /^(\w+): the face \(the largest of (\d+)\) is (\d+) px, the minimum is (\d+) px.*$/,
    '$1: wajah (terbesar dari $2) berukuran $3 px, paling sedikit $4 px (sisi pendek kotaknya); mendekatlah atau kirim gambar yang lebih besar',
  ],
  [
    /^(\w+): the face is (\d+) px, the minimum is (\d+) px.*$/,
    '$1: wajah berukuran $2 px, paling sedikit $3 px (sisi pendek kotaknya); mendekatlah atau kirim gambar yang lebih besar',
  ],
  [
    /^(\w+): (\d+) faces were found, .*?\(check_single_face\): (.*); crop the picture.*$/,
    '$1: ditemukan $2 wajah, hanya satu yang diizinkan (check_single_face): $3; potong gambarnya, atau ambil gambar orang itu sendiri',
  ],
  [
    /^(\w+): the picture is (\d+) bytes, at most (\d+) are allowed; .*$/,
    '$1: gambar berukuran $2 byte, paling banyak $3; kirim yang lebih kecil',
  ],
  [
    /^image: nobody in the gallery reaches the threshold: the best similarity is ([\d.]+), the threshold ([\d.]+); .*$/,
    'image: tidak ada orang di galeri yang mencapai ambang: kemiripan terbaik $1, ambang $2; daftarkan orangnya, atau kirim gambar yang lebih jelas',
  ],
  [
    /^facegallery_id: nobody is enrolled in this gallery; .*$/,
    'facegallery_id: belum ada orang yang terdaftar di galeri ini; daftarkan seseorang dulu',
  ],
  [
    /^image: this face is already enrolled in the gallery as user_id (".*") \(similarity ([\d.]+), threshold ([\d.]+)\); .*$/,
    'image: wajah ini sudah terdaftar di galeri sebagai user_id $1 (kemiripan $2, ambang $3); hapus wajah itu dulu',
  ],
  [
    /^append: this user_id has (\d+) faces in the gallery, at most (\d+) are allowed; .*$/,
    'append: user_id ini sudah punya $1 wajah di galeri, paling banyak $2; ganti wajahnya',
  ],
  [
    /^user_id: this user_id has a face in the gallery already; .*$/,
    'user_id: user_id ini sudah punya wajah di galeri; ganti, tambahkan, atau hapus dulu',
  ],
  [
    /^user_id: nobody of this user_id is enrolled.*$/,
    'user_id: tidak ada orang dengan user_id ini di galeri',
  ],
  [
    /^facegallery_id: you have no gallery of this name; .*$/,
    'facegallery_id: Anda tidak memiliki galeri dengan nama ini',
  ],
  [
    /^facegallery_id: you have a gallery of this name already; .*$/,
    'facegallery_id: Anda sudah memiliki galeri dengan nama ini; pilih nama lain',
  ],
  [
    /^image: the face and the one on the card have a similarity of ([\d.]+), the minimum is ([\d.]+).*$/,
    'image: kemiripan wajah dengan wajah di kartu $1, paling sedikit $2; tidak ada yang disimpan',
  ],
  [/^n_api_hits: .*$/, 'n_api_hits: kuota panggilan klien ini habis; minta tambahan kepada operator'],
  [/^n_face: .*$/, 'n_face: kuota wajah klien ini habis; hapus wajah atau minta tambahan kepada operator'],
  [
    /^n_facegallery: .*$/,
    'n_facegallery: kuota galeri klien ini habis; hapus galeri atau minta tambahan kepada operator',
  ],
  [
    /^name: you have (\d+) tokens, the maximum; revoke one$/,
    'name: Anda punya $1 token, jumlah terbanyak; cabut satu',
  ],
  [
    /^(\d+) sessions of this subject failed or expired within an hour; open the next one at (\S+), in (\d+) s$/,
    '$1 sesi orang ini gagal atau kedaluwarsa dalam satu jam; mulai yang berikutnya dalam $3 detik ($2)',
  ],
  [
    /^found more than (\d+) calls in a minute; try again in (\d+) s$/,
    'lebih dari $1 panggilan dalam satu menit; coba lagi dalam $2 detik',
  ],
  [
    /^too many failed or simultaneous logins; wait (\d+) s$/,
    'terlalu banyak upaya masuk yang gagal atau bersamaan; tunggu $1 detik',
  ],
  [
    /^all workers are busy and .*; nothing was written, try again in (\d+) s$/,
    'semua proses kerja sedang sibuk; tidak ada yang ditulis, coba lagi dalam $1 detik',
  ],
  [
    /^liveness_token: the gallery requires one; .*$/,
    'liveness_token: galeri mewajibkannya; luluskan sesi liveness dulu',
  ],
  [
    /^liveness_token: it (?:is not genuine|was spent).*$/,
    'liveness_token: tidak asli, sudah dipakai, atau kedaluwarsa; luluskan sesi liveness lagi',
  ],
  [/^not verified: similarity ([\d.]+)$/, 'tidak terverifikasi: kemiripan $1'],
  [/^liveness failed: (.*)$/, 'liveness gagal: $1'],
];

/** Parts of the refusal that lists quality rules. */
const qualityParts: readonly (readonly [english: RegExp, indonesian: string])[] = [
  [
    /^(\w+): the face \(the largest of (\d+)\) fails (\d+) of the quality rules: /,
    '$1: wajah (terbesar dari $2) melanggar $3 aturan kualitas: ',
  ],
  [/^(\w+): the face fails (\d+) of the quality rules: /, '$1: wajah melanggar $2 aturan kualitas: '],
  [/\bsize ([\d.-]+) /g, 'ukuran $1 '],
  [/\bsharpness ([\d.-]+) /g, 'ketajaman $1 '],
  [/\bbrightness ([\d.-]+) /g, 'kecerahan $1 '],
  [/\bcontrast ([\d.-]+) /g, 'kontras $1 '],
  [/\bcropped ([\d.-]+) /g, 'terpotong $1 '],
  [/\(limit ([\d.-]+) pixels\)/g, '(batas $1 piksel)'],
  [/\(limit ([\d.-]+) degrees\)/g, '(batas $1 derajat)'],
  [/\(limit ([\d.-]+) share\)/g, '(batas $1)'],
  [/The face is too small; move closer\./g, 'wajah terlalu kecil; mendekatlah.'],
  [/The face is blurred; hold still and focus\./g, 'wajah buram; jangan bergerak dan fokuskan.'],
  [/The face is too dark; use more light\./g, 'wajah terlalu gelap; tambah cahaya.'],
  [/The face is too bright; use less light\./g, 'wajah terlalu terang; kurangi cahaya.'],
  [
    /The face is flat; use more even, stronger light\./g,
    'wajah kurang kontras; pakai cahaya yang lebih kuat dan merata.',
  ],
  [/The head is turned away; look into the camera\./g, 'kepala menoleh; lihat ke kamera.'],
  [/The face is cut off; keep all of it in the picture\./g, 'wajah terpotong; tampilkan seluruhnya.'],
];

/** The detail of a refusal in Indonesian; undefined for a sentence that is not known here. */
export function indonesianDetail(english: string): string | undefined {
  if (english.includes('of the quality rules: '))
    return qualityParts.reduce((text, [pattern, part]) => text.replace(pattern, part), english);
  const known = sentences.find(([pattern]) => pattern.test(english));
  return known && english.replace(known[0], known[1]);
}
