import type { ErrorCode } from './errors.ts';
import type { Hint } from './session/check-step.ts';
import type { Step } from './transport/protocol.ts';

/** Any part of the texts. */
export type TextOverrides = {
  readonly [Key in keyof Texts]?: Texts[Key] extends string | readonly string[]
    ? Texts[Key]
    : Partial<Texts[Key]>;
};

/** @param language a BCP 47 tag such as `id-ID`; every language but Indonesian gets English */
export function textsFor(language: string, overrides: TextOverrides = {}): Texts {
  const base = /^(id|in)\b/i.test(language) ? indonesian : english;
  const { steps, stepNames, sees, hints, errors, reasons } = overrides;
  return {
    ...base,
    ...overrides,
    steps: { ...base.steps, ...steps },
    stepNames: { ...base.stepNames, ...stepNames },
    sees: { ...base.sees, ...sees },
    hints: { ...base.hints, ...hints },
    errors: { ...base.errors, ...errors },
    reasons: { ...base.reasons, ...reasons },
  };
}

/** @example fill('Step {step} of {total}', { step: 2, total: 5 }) // 'Step 2 of 5' */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The texts of the server's reasons, each kind once. */
export function reasonTexts(reasons: readonly string[], texts: Texts): string[] {
  const names = reasons.map((reason) => /^\w+/.exec(reason)?.[0] ?? '');
  const found = names.map((name) =>
    Object.hasOwn(texts.reasons, name)
      ? texts.reasons[name as keyof Texts['reasons']]
      : texts.reasons.unknown,
  );
  return [...new Set(found)];
}

/** Texts of the element, and with their keys the type of every translation. */
const english = {
  title: 'Liveness check',
  intro: 'Look into the camera and follow the steps. It takes about twenty seconds.',
  tips: [
    'Light on your face, not behind you',
    'Phone or screen at eye height',
    'No mask, no sunglasses, nobody else in the picture',
  ],
  privacy: 'Pictures are taken only during the check, and are sent to the server.',
  start: 'Start',
  cancel: 'Cancel',
  retry: 'Try again',
  again: 'Check again',
  openingCamera: 'Opening the camera…',
  allowCamera: 'If the browser asks, allow the camera.',
  preparing: 'Getting ready…',
  /** Before the first step: the time runs when a face is in place. */
  placeFace: 'Bring your face into the oval',
  sending: 'Checking your pictures…',
  wellDone: 'Good',
  progress: 'Step {step} of {total}',
  remaining: '{seconds} s left',
  holdStill: 'Hold still',
  /** Above the picture of a movement. */
  likeThis: 'Like this:',
  /** Announced once, when little time is left. */
  soonOver: '{seconds} seconds left',
  /** While the server judges, when it takes long. */
  stillChecking: 'This takes a little longer than usual.',
  passedTitle: 'Passed',
  passedText: 'Every step was detected.',
  failedTitle: 'Not passed',
  failedText: 'Reasons:',
  /** The reason `step`, with the steps that no frame shows. */
  missed: 'Not detected: {steps}. Do each step clearly and hold it for a moment.',
  errorTitle: 'Check not completed',
  /** The error `expired`, with the step that was not detected in time. */
  expiredAt: 'The time ran out at step {step} of {total}: {instruction}.',
  previewLabel: 'Your camera, mirrored',
  resultsLabel: 'The steps',
  seen: 'detected',
  notSeen: 'not detected',
  serverSays: 'Answer of the server: {detail} ({status})',
  /** With the attribute `diagnostics`. */
  diagnostics: 'For developers',
  /** Replaces the text of the step where no tone is played. */
  eyesClosedSilent: 'Close your eyes for two seconds',
  steps: {
    'face front': 'Look straight ahead',
    'face left': 'Turn your head to your left',
    'face right': 'Turn your head to your right',
    'face up': 'Raise your chin, look up',
    'face down': 'Lower your chin, look down',
    'eyes open': 'Keep your eyes open',
    'eyes closed': 'Close your eyes until you hear a tone',
    'mouth open': 'Open your mouth wide',
    'mouth closed': 'Close your mouth',
  } satisfies Record<Step, string>,
  stepNames: {
    'face front': 'Straight ahead',
    'face left': 'Left',
    'face right': 'Right',
    'face up': 'Up',
    'face down': 'Down',
    'eyes open': 'Eyes open',
    'eyes closed': 'Eyes closed',
    'mouth open': 'Mouth open',
    'mouth closed': 'Mouth closed',
  } satisfies Record<Step, string>,
  /** What the face does instead of the step, said after a while. */
  sees: {
    'face front': 'You are still looking straight ahead',
    'face left': 'Your head is turned to your left',
    'face right': 'Your head is turned to your right',
    'face up': 'Your chin is raised',
    'face down': 'Your chin is lowered',
    'eyes open': 'Your eyes are still open',
    'eyes closed': 'Your eyes are still closed',
    'mouth open': 'Your mouth is still open',
    'mouth closed': 'Your mouth is still closed',
  } satisfies Record<Step, string>,
  hints: {
    'too-dark': 'Too dark: turn towards a light',
    'too-bright': 'Too bright: turn away from the light',
    offline: 'No answer from the server: check your connection',
    glare: 'Your glasses reflect light: tilt them or take them off',
    'no-face': 'No face found: bring your face into the oval',
    'too-far': 'Too far: come closer',
    'too-close': 'Too near: move back a little',
    'off-centre': 'Move to the middle',
    'several-faces': 'Two faces: only you may be in the picture',
    masked: 'Uncover your mouth',
    'other-way': 'The other way',
    further: 'A little further',
    straight: 'Straight at the camera, at eye height',
  } satisfies Record<Hint, string>,
  errors: {
    insecure: 'The camera works only on secure pages: open this page with https, or on localhost.',
    'camera-denied':
      'The camera is not allowed. Allow it for this page in the settings of your browser, then try again.',
    'camera-none': 'No camera was found. Connect one, or use a device that has one.',
    'camera-busy':
      'The camera could not be opened. Another program may be using it: close that program, then try again.',
    'camera-lost': 'The camera was disconnected or taken by another program. Check it, then try again.',
    hidden: 'The check was stopped because the page was hidden. Keep it in view until the end.',
    network: 'The server could not be reached. Check your connection, then try again.',
    expired: 'The time ran out. Try again, and follow each step as soon as it is shown.',
    ended: 'A newer check was begun for you, and it has ended this one. Use the newest link or page.',
    paused: 'There were too many tries. Wait {minutes} min, then try again.',
    refused: 'The server refused the request.',
    'not-configured': 'This page has no server address for the check.',
    cancelled: 'The check was cancelled.',
  } satisfies Record<ErrorCode, string>,
  /** By the name with which `submit-session` begins a reason; `unknown` for any other. */
  reasons: {
    order: 'The pictures do not follow the order of the steps. Do one step after the other, as shown.',
    time: 'The times of the pictures are not plausible. Check the clock of your device.',
    step: 'A step was not detected. Do each step clearly and hold it for a moment.',
    repeat: 'The same picture appeared in two steps. Move from step to step.',
    replay: 'A picture matches one that was sent before. Change your position or the light a little.',
    person: 'The face changed between steps, or was not clear enough. Keep one face in view, in good light.',
    flat: 'The face looked flat, like a picture. Turn your head further, in good light.',
    spoof:
      'The face looked like a print, a screen or a mask. Use even light, without a bright screen or window in view.',
    networks:
      'This server cannot check at the moment whether a real person is in front of the camera. Trying again does not help: tell whoever sent you here.',
    room: 'The face filled too much of the picture. Move back until it fits into the oval.',
    quality:
      'The pictures are too dark, blurred or noisy. Use more light, clean the lens, come closer and hold still at each step.',
    user: 'The face does not match the expected person. That person must do the steps, uncovered and in good light.',
    unknown: 'The check was not passed. Try again in even light, with only your face in view.',
  },
};

/** The texts of one language. `{…}` is replaced by a value. */
export type Texts = {
  readonly [Key in keyof typeof english]: (typeof english)[Key] extends string
    ? string
    : (typeof english)[Key] extends readonly string[]
      ? readonly string[]
      : Readonly<Record<keyof (typeof english)[Key], string>>;
};

const indonesian: Texts = {
  title: 'Pemeriksaan liveness',
  intro: 'Lihat ke kamera dan ikuti setiap langkah. Waktunya sekitar dua puluh detik.',
  tips: [
    'Cahaya dari depan wajah, bukan dari belakang',
    'Ponsel atau layar setinggi mata',
    'Tanpa masker, tanpa kacamata hitam, tidak ada orang lain dalam gambar',
  ],
  privacy: 'Gambar hanya diambil selama pemeriksaan, lalu dikirim ke server.',
  start: 'Mulai',
  cancel: 'Batal',
  retry: 'Coba lagi',
  again: 'Periksa lagi',
  openingCamera: 'Membuka kamera…',
  allowCamera: 'Jika peramban bertanya, izinkan kamera.',
  preparing: 'Menyiapkan…',
  placeFace: 'Arahkan wajah Anda ke dalam oval',
  sending: 'Memeriksa gambar Anda…',
  wellDone: 'Bagus',
  progress: 'Langkah {step} dari {total}',
  remaining: 'sisa {seconds} dtk',
  holdStill: 'Tahan sebentar',
  likeThis: 'Seperti ini:',
  soonOver: 'Sisa {seconds} detik',
  stillChecking: 'Ini sedikit lebih lama dari biasanya.',
  passedTitle: 'Lulus',
  passedText: 'Semua langkah terdeteksi.',
  failedTitle: 'Tidak lulus',
  failedText: 'Alasannya:',
  missed: 'Tidak terdeteksi: {steps}. Lakukan tiap langkah dengan jelas dan tahan sebentar.',
  errorTitle: 'Pemeriksaan tidak selesai',
  expiredAt: 'Waktu habis pada langkah {step} dari {total}: {instruction}.',
  previewLabel: 'Kamera Anda, seperti di cermin',
  resultsLabel: 'Langkah-langkah',
  seen: 'terdeteksi',
  notSeen: 'tidak terdeteksi',
  serverSays: 'Jawaban server: {detail} ({status})',
  diagnostics: 'Untuk pengembang',
  eyesClosedSilent: 'Pejamkan mata selama dua detik',
  steps: {
    'face front': 'Lihat lurus ke depan',
    'face left': 'Tolehkan kepala ke kiri Anda',
    'face right': 'Tolehkan kepala ke kanan Anda',
    'face up': 'Angkat dagu, lihat ke atas',
    'face down': 'Turunkan dagu, lihat ke bawah',
    'eyes open': 'Buka mata Anda',
    'eyes closed': 'Pejamkan mata sampai terdengar nada',
    'mouth open': 'Buka mulut lebar-lebar',
    'mouth closed': 'Tutup mulut Anda',
  },
  stepNames: {
    'face front': 'Lurus ke depan',
    'face left': 'Kiri',
    'face right': 'Kanan',
    'face up': 'Atas',
    'face down': 'Bawah',
    'eyes open': 'Mata terbuka',
    'eyes closed': 'Mata terpejam',
    'mouth open': 'Mulut terbuka',
    'mouth closed': 'Mulut tertutup',
  },
  sees: {
    'face front': 'Anda masih melihat lurus ke depan',
    'face left': 'Kepala Anda menoleh ke kiri',
    'face right': 'Kepala Anda menoleh ke kanan',
    'face up': 'Dagu Anda terangkat',
    'face down': 'Dagu Anda menunduk',
    'eyes open': 'Mata Anda masih terbuka',
    'eyes closed': 'Mata Anda masih terpejam',
    'mouth open': 'Mulut Anda masih terbuka',
    'mouth closed': 'Mulut Anda masih tertutup',
  },
  hints: {
    'too-dark': 'Terlalu gelap: menghadaplah ke cahaya',
    'too-bright': 'Terlalu terang: menjauhlah dari cahaya',
    offline: 'Server tidak menjawab: periksa sambungan Anda',
    glare: 'Kacamata memantulkan cahaya: miringkan atau lepaskan',
    'no-face': 'Wajah tidak ditemukan: arahkan ke dalam oval',
    'too-far': 'Terlalu jauh: mendekatlah',
    'too-close': 'Terlalu dekat: mundur sedikit',
    'off-centre': 'Geser ke tengah',
    'several-faces': 'Ada dua wajah: hanya Anda yang boleh terlihat',
    masked: 'Jangan tutupi mulut Anda',
    'other-way': 'Ke arah sebaliknya',
    further: 'Sedikit lagi',
    straight: 'Lurus ke kamera, setinggi mata',
  },
  errors: {
    insecure: 'Kamera hanya dapat dipakai di halaman aman: buka halaman ini dengan https, atau di localhost.',
    'camera-denied':
      'Kamera tidak diizinkan. Izinkan kamera untuk halaman ini di pengaturan peramban, lalu coba lagi.',
    'camera-none': 'Kamera tidak ditemukan. Sambungkan kamera, atau pakai perangkat yang memilikinya.',
    'camera-busy':
      'Kamera tidak dapat dibuka. Mungkin sedang dipakai program lain: tutup program itu, lalu coba lagi.',
    'camera-lost': 'Kamera terputus atau diambil program lain. Periksa kamera, lalu coba lagi.',
    hidden: 'Pemeriksaan dihentikan karena halaman tidak terlihat. Biarkan halaman terlihat sampai selesai.',
    network: 'Server tidak dapat dihubungi. Periksa sambungan Anda, lalu coba lagi.',
    expired: 'Waktu habis. Coba lagi, dan ikuti setiap langkah begitu ditampilkan.',
    ended:
      'Pemeriksaan yang lebih baru sudah dimulai untuk Anda, dan mengakhiri yang ini. Pakailah tautan atau halaman terbaru.',
    paused: 'Terlalu banyak percobaan. Tunggu {minutes} menit, lalu coba lagi.',
    refused: 'Server menolak permintaan.',
    'not-configured': 'Halaman ini belum memiliki alamat server untuk pemeriksaan.',
    cancelled: 'Pemeriksaan dibatalkan.',
  },
  reasons: {
    order: 'Gambar tidak sesuai urutan langkah. Lakukan langkah satu per satu seperti yang ditampilkan.',
    time: 'Waktu pengambilan gambar tidak wajar. Periksa jam perangkat Anda.',
    step: 'Ada langkah yang tidak terdeteksi. Lakukan tiap langkah dengan jelas dan tahan sebentar.',
    repeat: 'Gambar yang sama muncul pada dua langkah. Bergeraklah di antara langkah.',
    replay: 'Ada gambar yang sama dengan gambar yang pernah dikirim. Ubah sedikit posisi atau cahayanya.',
    person: 'Wajah berganti, atau kurang jelas. Cukup satu wajah dalam gambar, dengan cahaya yang baik.',
    flat: 'Wajah terlihat datar seperti gambar. Tolehkan kepala lebih jauh, dengan cahaya yang baik.',
    spoof:
      'Wajah terlihat seperti cetakan foto, layar, atau topeng. Pakai cahaya merata, tanpa layar atau jendela terang dalam gambar.',
    networks:
      'Saat ini server tidak dapat memeriksa apakah ada orang sungguhan di depan kamera. Mencoba lagi tidak membantu: beri tahu pihak yang mengarahkan Anda ke sini.',
    room: 'Wajah terlalu memenuhi gambar. Mundurlah sampai wajah muat di dalam oval.',
    quality:
      'Gambar terlalu gelap, buram, atau berbintik. Tambah cahaya, bersihkan lensa, mendekatlah, dan tahan sebentar di tiap langkah.',
    user: 'Wajah ini tidak cocok dengan orang yang diharapkan. Orang itu sendiri yang harus melakukan langkahnya, tanpa penutup wajah dan dengan cahaya yang baik.',
    unknown: 'Pemeriksaan tidak lulus. Coba lagi dengan cahaya merata dan hanya wajah Anda dalam gambar.',
  },
};
