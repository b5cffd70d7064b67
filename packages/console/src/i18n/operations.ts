/** What is done with an endpoint: a heading of the API reference in both languages. */
export interface Task {
  readonly name: readonly [english: string, indonesian: string];
  /** The Indonesian summary of each endpoint by its operationId, in order; the document has the English one. */
  readonly operations: Readonly<Record<string, string>>;
}

/** The endpoints by task: what is built first comes first. */
export const tasks: readonly Task[] = [
  {
    name: ['Recognise', 'Mengenali'],
    operations: {
      identifyFace: 'Mencari wajah sebuah gambar, atau setiap wajahnya, dalam galeri.',
      verifyFace: 'Membandingkan gambar dengan wajah terdaftar seorang pengguna.',
      compareImages: 'Membandingkan wajah dua gambar; tidak menyimpan apa pun.',
      detectFaces: 'Mendeteksi wajah pada gambar dan mengukur setiap wajah; tidak menyimpan apa pun.',
    },
  },
  {
    name: ['Enrol', 'Mendaftarkan'],
    operations: {
      enrolFace: 'Mendaftarkan pengguna dengan sebuah wajah.',
      enrolFaceKtp: 'Mendaftarkan pengguna yang wajahnya cocok dengan wajah pada kartu identitas.',
      listFaces: 'Menampilkan pengguna sebuah galeri, urut menurut user_id.',
      describeFace: 'Apa yang tersimpan dari seorang pengguna, tanpa template dan gambar.',
      updateFace: 'Mengubah nama pengguna; wajah dan user_id tetap.',
      getFaceCrop:
        'Mengembalikan potongan wajah tersimpan, yang terbaru dari beberapa. Galeri harus menyimpan potongan wajah; setiap panggilan dicatat dalam jejak audit.',
      getFaceThumbnails:
        'Mengembalikan wajah kecil beberapa pengguna, bila potongan wajah disimpan. Satu panggilan adalah satu catatan jejak audit.',
      getFacePictures:
        'Menampilkan gambar pendaftaran seorang pengguna, kecil, bila potongan wajah disimpan. Satu panggilan adalah satu catatan jejak audit.',
      deleteFacePicture:
        'Menghapus satu dari beberapa gambar pengguna, beserta templatnya. Yang terakhir ditolak: delete-face menghapus penggunanya.',
      mergeFaces:
        'Menyatukan dua pengguna sebuah galeri: user_id mempertahankan persetujuan dan retensinya, dan mendapat gambar keduanya. Panggilan berulang tidak mengubah apa pun.',
      deleteFace: 'Menghapus pengguna dari galeri.',
    },
  },
  {
    name: ['Liveness', 'Liveness'],
    operations: {
      createLivenessSession: 'Membuka sesi liveness: mengembalikan langkah, urutannya dan tenggatnya.',
      beginLivenessSession: 'Memulai sesi yang menunggu: menentukan langkahnya, dan waktunya berjalan.',
      hintLivenessFrame: 'Memberi petunjuk untuk frame sesi, tanpa menghitung hit.',
      sendLivenessFrame:
        'Menganalisis frame sesi yang terbuka sebelum dikirimkan, dan tidak menjawab apa pun tentang isinya.',
      submitLivenessSession:
        'Menilai frame sesi liveness, satu kali; sesi yang lulus mengembalikan liveness_token.',
      getLivenessSession: 'Mengembalikan keadaan sesi dan hasilnya.',
      verifyLiveness:
        'Mencari tanda serangan presentasi pada gambar, dan memeriksa bahwa wajahnya menunjukkan apa yang diminta.',
      verifyLivenessBatch: 'Menilai beberapa gambar, masing-masing terhadap apa yang harus ditunjukkannya.',
    },
  },
  {
    name: ['Galleries', 'Galeri'],
    operations: {
      createGallery: 'Membuat galeri.',
      listGalleries: 'Menampilkan galeri klien.',
      describeGalleries: 'Menampilkan galeri klien dengan ukuran dan ambangnya.',
      updateGallery: 'Mengubah pengaturan galeri; field yang tidak ada mempertahankan nilainya.',
      getGalleryScores:
        'Jumlah kemiripan yang dicapai gambar uji sebuah galeri, untuk memilih ambang. Tidak merujuk ke siapa pun.',
      findDuplicates:
        'Menemukan pasangan pengguna galeri yang mungkin orang yang sama. Setiap panggilan membandingkan sebagian pasangan, sekitar satu detik kerja; ulangi dengan cursor-nya sampai selesai.',
      markDifferent:
        'Menandai dua pengguna galeri sebagai orang berbeda, sehingga find-duplicates melewatkannya, sampai salah satunya dihapus.',
      deleteGallery: 'Menghapus galeri beserta semua wajahnya.',
    },
  },
  {
    name: ['Privacy', 'Privasi'],
    operations: {
      updatePerson: 'Mencatat persetujuan pengguna terdaftar, atau menetapkan kapan pengguna dihapus.',
      suspendPerson:
        'Menangguhkan pengguna, yang tetap tersimpan dan tidak dicocokkan: tidak diidentifikasi maupun diverifikasi (424). Hanya find-duplicates dan check_duplicate yang membandingkan wajahnya, agar orang itu tidak didaftarkan lagi tanpa ada yang tahu.',
      resumePerson: 'Mengakhiri penangguhan pengguna.',
      exportPerson:
        'Apa yang diketahui tentang seorang pengguna di semua galeri klien, tanpa angka template; dicatat dalam jejak audit.',
      erasePerson:
        'Menghapus pengguna dari semua galeri klien, dengan sesi liveness, frame yang diingat, panggilan yang ditolak dan peristiwa webhook.',
      listExpiring: 'Menampilkan pengguna yang segera dihapus karena retensi atau persetujuannya berakhir.',
      getProcessingRecords:
        'Catatan pemrosesan klien: tujuan, kategori data, penerima, retensi, dan jumlah jejak audit menurut bulan.',
    },
  },
  {
    name: ['Tokens', 'Token'],
    operations: {
      clientToken: 'Menerbitkan token akses untuk client_id dan password.',
      token: 'Menerbitkan token akses dengan client credentials grant dari RFC 6749.',
      revokeToken:
        'Mencabut token seketika; memerlukan token pada header dan kredensial klien, atau own: true.',
      changePassword:
        'Mengganti kata sandi klien, mencabut token aksesnya dan menerbitkan token untuk kata sandi baru.',
      createApiToken: 'Membuat token API jangka panjang; hanya jawaban ini yang memuatnya.',
      listApiTokens: 'Menampilkan token API klien, tanpa rahasianya.',
      revokeApiToken: 'Mencabut token API klien seketika.',
      jwks: 'Mengembalikan kunci publik yang memverifikasi token.',
    },
  },
  {
    name: ['Activity', 'Aktivitas'],
    operations: {
      getCounters: 'Mengembalikan sisa kuota; panggilan ini sendiri tidak dihitung.',
      getActivity: 'Jumlah, hasil dan latensi panggilan klien.',
      listRefusals:
        'Menampilkan 1.000 panggilan terakhir klien yang ditolak atau yang wajahnya tidak diterima, per halaman.',
    },
  },
  {
    name: ['Webhooks', 'Webhook'],
    operations: {
      createWebhook: 'Membuat webhook klien; hanya jawaban ini yang memuat rahasianya.',
      listWebhooks: 'Menampilkan webhook klien, tanpa rahasianya.',
      updateWebhook: 'Mengubah URL atau peristiwa webhook; yang dihentikan penerimanya (410) dikirimi lagi.',
      rotateWebhookSecret: 'Mengganti rahasia webhook; yang lama masih menandatangani selama sehari.',
      testWebhook: 'Mengirim peristiwa jenis webhook.test seketika, dan mengatakan apakah tersampaikan.',
      listWebhookDeliveries: 'Menampilkan peristiwa webhook yang menunggu, tersampaikan atau dihentikan.',
      deleteWebhook: 'Menghapus webhook klien, dengan peristiwa yang menunggunya.',
    },
  },
  {
    name: ['Server', 'Server'],
    operations: {
      health: 'Menjawab 200 selama proses berjalan.',
      ready: 'Menjawab 200 ketika model dimuat dan penyimpanan terbuka, selain itu 503.',
      openapi: 'Mengembalikan dokumen OpenAPI.',
      getStatus: 'Keadaan server; untuk klien yang ditandai sebagai operator, 403 untuk yang lain.',
      getAudit:
        'Menampilkan jejak audit server; untuk klien yang ditandai sebagai operator, 403 untuk yang lain.',
      listClients: 'Menampilkan klien dengan kuota dan pemakaiannya; untuk operator.',
      createClient:
        'Membuat dan mendaftarkan klien dengan galeri pertamanya; hanya jawaban ini memuat kata sandinya.',
      setClientQuota: 'Mengubah kuota klien.',
      resetClientPassword:
        'Mengganti kata sandi klien dengan yang acak, dan mencabut semua tokennya; 403 untuk operator.',
      eraseClient: 'Menghapus klien dengan galeri, wajah, dan tokennya; 403 untuk operator.',
    },
  },
  {
    name: ['Client', 'Klien'],
    operations: {
      register:
        'Mendaftarkan klien dari token dan membuat galeri pertamanya; memanggilnya lagi tidak mengubah apa pun.',
      deleteClient:
        'Menghapus galeri dan wajah klien serta catatan panggilannya. Klien yang mendaftar lagi memiliki sisa panggilan yang dimilikinya sebelumnya.',
    },
  },
];
