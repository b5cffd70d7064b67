import type { Area } from './area.ts';

/** Measurements of a face and their explanations. */
export const figures = {
  score: ['Detection score', 'Skor deteksi'],
  scoreWhy: [
    'Confidence of the detector that this is a face, 0 to 1.',
    'Keyakinan pendeteksi bahwa ini wajah, 0 sampai 1.',
  ],
  place: ['Detection', 'Deteksi'],
  box: ['Bounding box', 'Kotak pembatas'],
  boxWhy: [
    'From the eyebrows to the chin, in pixels of the picture. The shorter side counts: the rule Size has the limit, which enrolment needs too.',
    'Dari alis sampai dagu, dalam piksel gambar. Yang dihitung sisi pendek: batasnya pada aturan Ukuran, yang juga berlaku untuk pendaftaran.',
  ],
  pose: ['Head pose', 'Pose kepala'],
  axes: [
    'Axes from the tip of the nose: blue forward, green up, red to the person’s left.',
    'Sumbu dari ujung hidung: biru ke depan, hijau ke atas, merah ke kiri orang itu.',
  ],
  yaw: ['Yaw', 'Yaw (menoleh)'],
  yawWhy: [
    'Degrees, positive to the person’s left. A head is frontal below 12° in both directions.',
    'Derajat, positif ke kiri orang itu. Kepala dianggap menghadap depan di bawah 12° ke kedua arah.',
  ],
  pitch: ['Pitch', 'Pitch (mengangguk)'],
  pitchWhy: ['Degrees, positive upwards.', 'Derajat, positif ke atas.'],
  roll: ['Roll', 'Roll (miring)'],
  rollWhy: [
    'Degrees, positive towards the person’s left shoulder.',
    'Derajat, positif ke bahu kiri orang itu.',
  ],
  eyes: ['Eyes and mouth', 'Mata dan mulut'],
  leftEye: ['Left eye', 'Mata kiri'],
  rightEye: ['Right eye', 'Mata kanan'],
  eyeWhy: [
    'Left and right are the person’s. The number is the probability of the state.',
    'Kiri dan kanan menurut orang itu. Angkanya adalah probabilitas keadaan tersebut.',
  ],
  open: ['open', 'terbuka'],
  closed: ['closed', 'tertutup'],
  masked: ['covered by a mask', 'tertutup masker'],
  mouth: ['Mouth', 'Mulut'],
  mouthWhy: [
    'Open, closed or covered by a mask, with the probability of the state.',
    'Terbuka, tertutup, atau tertutup masker, dengan probabilitas keadaan itu.',
  ],
  mask: ['Mask', 'Masker'],
  maskWhy: ['Whether a mask covers mouth and nose.', 'Apakah masker menutupi mulut dan hidung.'],
  worn: ['worn', 'dipakai'],
  notWorn: ['not worn', 'tidak dipakai'],
  spoof: ['Presentation attack detection', 'Deteksi serangan presentasi'],
  spoofScore: ['Spoof score', 'Skor spoof'],
  spoofWhy: [
    'Probability of a presentation attack (a print, a screen, a mask), 0 to 1. At or above the threshold the face counts as an attack. A lower threshold accepts fewer attacks (APCER) and refuses more bona fide faces (BPCER). One picture is weak evidence; a liveness session is stronger.',
    'Probabilitas serangan presentasi (cetakan, layar, topeng), 0 sampai 1. Pada ambang atau di atasnya, wajah dianggap serangan. Ambang yang lebih rendah menerima lebih sedikit serangan (APCER) dan menolak lebih banyak wajah bona fide (BPCER). Satu gambar adalah bukti lemah; sesi liveness lebih kuat.',
  ],
  cueWhy: [
    'A signal of the spoof score: 0.5 is neutral, higher values indicate an attack.',
    'Salah satu sinyal skor spoof: 0,5 netral, nilai lebih tinggi menunjukkan serangan.',
  ],
  cue_spectrum: ['Spectrum', 'Spektrum'],
  cue_surroundings: ['Face and surroundings', 'Wajah dan sekitarnya'],
  cue_moire: ['Moiré and raster', 'Moiré dan raster'],
  cue_scene: ['Scene', 'Latar'],
  cue_look: ['Appearance', 'Tampilan'],
  cue_nets: ['Networks', 'Jaringan saraf'],
  cue_spectrumWhy: [
    'How strong fine detail is against coarse detail. Prints and screens lose the finest or add their own.',
    'Kuatnya detail halus dibanding detail kasar. Cetakan dan layar kehilangan yang terhalus atau menambah detailnya sendiri.',
  ],
  cue_surroundingsWhy: [
    'The face against its surroundings: colour cast, sharpness, coloured detail. A shown face differs from the room.',
    'Wajah dibanding sekitarnya: rona warna, ketajaman, detail warna. Wajah yang ditampilkan berbeda dari ruangannya.',
  ],
  cue_moireWhy: [
    'Stripes and grids that arise when a camera films a screen or a printed raster.',
    'Garis dan kisi yang muncul saat kamera merekam layar atau raster cetakan.',
  ],
  cue_sceneWhy: [
    'The picture around the face, compared with simulated recaptures of screens and prints.',
    'Gambar di sekitar wajah, dibandingkan dengan simulasi rekam ulang layar dan cetakan.',
  ],
  cue_lookWhy: [
    'The appearance of the face, compared with known attacks.',
    'Tampilan wajah, dibandingkan dengan serangan yang dikenal.',
  ],
  cue_netsWhy: [
    'The networks of the installed PAD pack, which see the face with its surroundings.',
    'Jaringan dari paket PAD yang terpasang, yang melihat wajah beserta sekitarnya.',
  ],
  quality: ['Quality', 'Kualitas'],
  rule_size: ['Size', 'Ukuran'],
  rule_sizeWhy: [
    'Shorter side of the face in pixels. Small faces have too little detail for recognition.',
    'Sisi pendek wajah dalam piksel. Wajah kecil kurang detail untuk dikenali.',
  ],
  rule_sharpness: ['Sharpness', 'Ketajaman'],
  rule_sharpnessWhy: [
    'Share of fine detail. Hold still until the camera is in focus.',
    'Porsi detail halus. Jangan bergerak sampai kamera fokus.',
  ],
  rule_brightness: ['Brightness', 'Kecerahan'],
  rule_brightnessWhy: [
    'Mean brightness of the face, from 0 (black) to 1 (white). Too dark and too bright both fail.',
    'Rata-rata kecerahan wajah, dari 0 (hitam) sampai 1 (putih). Terlalu gelap dan terlalu terang sama-sama gagal.',
  ],
  rule_contrast: ['Contrast', 'Kontras'],
  rule_contrastWhy: [
    'Difference between the light and the dark parts of the face.',
    'Selisih antara bagian terang dan bagian gelap wajah.',
  ],
  rule_pose: ['Frontal', 'Menghadap depan'],
  rule_poseWhy: [
    'Deviation from a frontal pose in degrees. Less is better.',
    'Penyimpangan dari pose menghadap depan dalam derajat. Makin kecil makin baik.',
  ],
  rule_cropped: ['Complete', 'Utuh'],
  rule_croppedWhy: [
    'Share of the face outside the picture. Less is better.',
    'Porsi wajah di luar gambar. Makin kecil makin baik.',
  ],
  atLeast: [(limit: string) => `at least ${limit}`, (limit: string) => `paling sedikit ${limit}`],
  atMost: [(limit: string) => `at most ${limit}`, (limit: string) => `paling banyak ${limit}`],
  limit: [(threshold: string) => `threshold ${threshold}`, (threshold: string) => `ambang ${threshold}`],
  met: ['met', 'terpenuhi'],
  notMet: ['not met', 'tidak terpenuhi'],
  pixels: ['px', 'px'],
  degrees: ['°', '°'],
} as const satisfies Area;
