import { translated } from './translated.ts';

/** What is measured of a picture. */
export const measure = translated({
  empty: ['Measure the faces of a picture', 'Ukur wajah dalam gambar'],
  emptyText: [
    'Choose a picture, or use the camera. The result shows each face with its box, mesh, head pose, eyes, mouth, mask, spoof score and quality.',
    'Pilih gambar, atau pakai kamera. Hasilnya menampilkan setiap wajah dengan kotak, mesh, pose kepala, mata, mulut, masker, skor spoof, dan kualitas.',
  ],
  detecting: ['Detecting faces …', 'Mendeteksi wajah …'],
  verdicts: ['Verdicts', 'Keputusan'],
  enrollable: ['Good enough to enrol', 'Layak didaftarkan'],
  notEnrollable: ['Not good enough to enrol', 'Belum layak didaftarkan'],
  noSign: ['No sign of a screen or print', 'Tidak ada tanda layar atau cetakan'],
  signs: ['Signs of a screen or print', 'Ada tanda layar atau cetakan'],
  unclear: [
    'Too unclear to look for a screen or print',
    'Terlalu tidak jelas untuk mencari tanda layar atau cetakan',
  ],
  notJudged: ['Not judged: screen or print', 'Tidak dinilai: layar atau cetakan'],
  notJudgedText: [
    'The networks for it (model pack pad) are not in use on this server.',
    'Jaringan untuk itu (paket model pad) tidak dipakai di server ini.',
  ],
  veto: [
    'A picture alone is a veto, never a proof; a session checks more.',
    'Satu gambar adalah veto, bukan bukti; sebuah sesi memeriksa lebih banyak.',
  ],
  maskNotWorn: ['No mask', 'Tanpa masker'],
  maskNotWornText: ['Mouth and nose are uncovered.', 'Mulut dan hidung terlihat.'],
  maskWorn: ['Wears a mask', 'Memakai masker'],
  maskWornText: ['Recognition is less reliable.', 'Pengenalan kurang andal.'],
  found: [
    (count: number) => (count === 1 ? '1 face detected' : `${count} faces detected`),
    (count: number) => `${count} wajah terdeteksi`,
  ],
  layers: ['Layers', 'Lapisan'],
  layer_box: ['Box', 'Kotak'],
  layer_mesh: ['Face mesh', 'Mesh wajah'],
  layer_pose: ['Head pose', 'Pose kepala'],
  layer_features: ['Eyes and mouth', 'Mata dan mulut'],
  live: ['Measure the video', 'Ukur video'],
  liveText: [
    'The page sends one small picture after another. Each one is an API call and counts towards the quota. Nothing is stored.',
    'Halaman ini mengirim gambar kecil satu demi satu. Setiap gambar adalah satu panggilan API dan mengurangi kuota. Tidak ada yang disimpan.',
  ],
  liveNobody: ['No face detected.', 'Tidak ada wajah yang terdeteksi.'],
  liveRate: ['{rate} pictures a second', '{rate} gambar per detik'],
  qualityOk: ['All rules met', 'Semua aturan terpenuhi'],
  qualityBad: [
    (count: number) => `${count} ${count === 1 ? 'rule' : 'rules'} not met`,
    (count: number) => `${count} aturan tidak terpenuhi`,
  ],
});

/** Measurements of a face and their explanations. */
export const figures = translated({
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
  maskWhy: ['Whether a mask covers mouth and nose.', 'Apakah masker menutupi mulut dan hidung.'],
  worn: ['worn', 'dipakai'],
  notWorn: ['not worn', 'tidak dipakai'],
  spoof: ['Presentation attack detection', 'Deteksi serangan presentasi'],
  spoofScore: ['Spoof score', 'Skor spoof'],
  spoofWhy: [
    'Probability of a presentation attack (a print, a screen, a mask), 0 to 1. At or above the threshold the face counts as an attack. A lower threshold accepts fewer attacks (APCER) and refuses more bona fide faces (BPCER).',
    'Probabilitas serangan presentasi (cetakan, layar, topeng), 0 sampai 1. Pada ambang atau di atasnya, wajah dianggap serangan. Ambang yang lebih rendah menerima lebih sedikit serangan (APCER) dan menolak lebih banyak wajah bona fide (BPCER).',
  ],
  cueWhy: [
    'A part of the spoof score: 0.5 is neutral, higher values indicate an attack.',
    'Bagian dari skor spoof: 0,5 netral, nilai lebih tinggi menunjukkan serangan.',
  ],
  cue_near: ['Face and surroundings', 'Wajah dan sekitarnya'],
  cue_close: ['Face', 'Wajah'],
  cue_nearWhy: [
    'A network that sees the face with its surroundings: hands, rims of screens, edges of paper.',
    'Jaringan yang melihat wajah beserta sekitarnya: tangan, bingkai layar, tepi kertas.',
  ],
  cue_closeWhy: [
    'A network of another family that sees the face closely: rasters, moiré, gloss.',
    'Jaringan dari keluarga lain yang melihat wajah dari dekat: raster, moiré, kilap.',
  ],
  quality: ['Quality', 'Kualitas'],
  rule_sizeWhy: [
    'Shorter side of the face in pixels. Small faces have too little detail for recognition.',
    'Sisi pendek wajah dalam piksel. Wajah kecil kurang detail untuk dikenali.',
  ],
  rule_sharpnessWhy: [
    'Share of fine detail. Hold still until the camera is in focus.',
    'Porsi detail halus. Jangan bergerak sampai kamera fokus.',
  ],
  rule_brightnessWhy: [
    'Mean brightness of the face, from 0 (black) to 1 (white). Too dark and too bright both fail.',
    'Rata-rata kecerahan wajah, dari 0 (hitam) sampai 1 (putih). Terlalu gelap dan terlalu terang sama-sama gagal.',
  ],
  rule_contrastWhy: [
    'Difference between the light and the dark parts of the face.',
    'Selisih antara bagian terang dan bagian gelap wajah.',
  ],
  rule_poseWhy: [
    'Deviation from a frontal pose in degrees. Less is better.',
    'Penyimpangan dari pose menghadap depan dalam derajat. Makin kecil makin baik.',
  ],
  rule_croppedWhy: [
    'Share of the face outside the picture. Less is better.',
    'Porsi wajah di luar gambar. Makin kecil makin baik.',
  ],
  atLeast: ['at least {limit}', 'paling sedikit {limit}'],
  atMost: ['at most {limit}', 'paling banyak {limit}'],
  limit: ['threshold {threshold}', 'ambang {threshold}'],
  met: ['met', 'terpenuhi'],
  notMet: ['not met', 'tidak terpenuhi'],
});
