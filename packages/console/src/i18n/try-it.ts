import type { Area } from './area.ts';

export const tryIt = {
  title: ['Try it', 'Coba'],
  lead: [
    'Send a picture to the server and see the result. Nothing is stored.',
    'Kirim gambar ke server dan lihat hasilnya. Tidak ada yang disimpan.',
  ],
  detect: ['Detect faces', 'Deteksi wajah'],
  compare: ['Compare two faces', 'Bandingkan dua wajah'],
  modes: ['Mode', 'Mode'],
  detectEmpty: ['Detect faces in a picture', 'Deteksi wajah dalam gambar'],
  detectEmptyText: [
    'Choose, drop or paste a picture, or use the camera. The result shows each face with its box, mesh, head pose, eyes, mouth, mask, spoof score and quality.',
    'Pilih, letakkan, atau tempel gambar, atau pakai kamera. Hasilnya menampilkan setiap wajah dengan kotak, mesh, pose kepala, mata, mulut, masker, skor spoof, dan kualitas.',
  ],
  detecting: ['Detecting faces …', 'Mendeteksi wajah …'],
  another: ['Another picture', 'Gambar lain'],
  pictures: ['Pictures', 'Gambar'],
  pictureOf: [
    (name: string, faces: number) => `${name}, ${faces} ${faces === 1 ? 'face' : 'faces'} detected`,
    (name: string, faces: number) => `${name}, ${faces} wajah terdeteksi`,
  ],
  found: [
    (count: number) => (count === 1 ? '1 face detected' : `${count} faces detected`),
    (count: number) => `${count} wajah terdeteksi`,
  ],
  more: [
    (shown: number, found: number) => `${shown} of ${found} faces are shown.`,
    (shown: number, found: number) => `${shown} dari ${found} wajah ditampilkan.`,
  ],
  face: [(number: number) => `Face ${number}`, (number: number) => `Wajah ${number}`],
  faces: ['Faces', 'Wajah'],
  layers: ['Layers', 'Lapisan'],
  layerBox: ['Box', 'Kotak'],
  layerMesh: ['Face mesh', 'Mesh wajah'],
  layerPose: ['Head pose', 'Pose kepala'],
  layerFeatures: ['Eyes and mouth', 'Mata dan mulut'],
  live: ['Live', 'Langsung'],
  liveStart: ['Start the camera', 'Nyalakan kamera'],
  liveStop: ['Stop', 'Berhenti'],
  liveTitle: ['Live detection', 'Deteksi langsung'],
  liveText: [
    'The page sends one small picture after another. Each one is an API call and counts towards the quota. Nothing is stored.',
    'Halaman ini mengirim gambar kecil satu demi satu. Setiap gambar adalah satu panggilan API dan mengurangi kuota. Tidak ada yang disimpan.',
  ],
  liveNobody: ['No face detected.', 'Tidak ada wajah yang terdeteksi.'],
  liveRate: [(rate: string) => `${rate} pictures a second`, (rate: string) => `${rate} gambar per detik`],
  spoofed: ['Presentation attack', 'Serangan presentasi'],
  real: ['Bona fide', 'Asli (bona fide)'],
  qualityOk: ['All rules met', 'Semua aturan terpenuhi'],
  qualityBad: [
    (count: number) => `${count} ${count === 1 ? 'rule' : 'rules'} not met`,
    (count: number) => `${count} aturan tidak terpenuhi`,
  ],
  first: ['First picture', 'Gambar pertama'],
  second: ['Second picture', 'Gambar kedua'],
  comparing: ['Comparing …', 'Membandingkan …'],
  compareEmpty: ['Compare two pictures', 'Bandingkan dua gambar'],
  compareEmptyText: [
    'Choose two pictures. The largest face of each is compared.',
    'Pilih dua gambar. Wajah terbesar dari masing-masing dibandingkan.',
  ],
  similarity: ['Similarity score', 'Skor kemiripan'],
  same: ['Match', 'Cocok'],
  different: ['No match', 'Tidak cocok'],
  masked: [
    'A face wears a mask. The similarity score is less reliable.',
    'Ada wajah bermasker. Skor kemiripan kurang andal.',
  ],
  oneIn: [
    (count: string) => `FMR 1 in ${count}: one of ${count} impostor pairs reaches this score.`,
    (count: string) => `FMR 1 dari ${count}: satu dari ${count} pasangan impostor mencapai skor ini.`,
  ],
  mostPairs: [
    'FMR near 1: most impostor pairs reach this score.',
    'FMR mendekati 1: sebagian besar pasangan impostor mencapai skor ini.',
  ],
  atMostOneIn: [
    (count: string) =>
      `FMR below 1 in ${count}: fewer than one of ${count} impostor pairs reaches this score.`,
    (count: string) =>
      `FMR di bawah 1 dari ${count}: kurang dari satu di antara ${count} pasangan impostor mencapai skor ini.`,
  ],
  threshold: [(value: string) => `Threshold ${value}`, (value: string) => `Ambang ${value}`],
  scaleText: [
    'The similarity score is calibrated on impostor pairs: each 0.125 lowers the false match rate (FMR) by a factor of ten, with every model. The threshold is the operating point.',
    'Skor kemiripan dikalibrasi pada pasangan impostor: setiap 0,125 menurunkan tingkat kecocokan salah (FMR) sepuluh kali, dengan model apa pun. Ambang adalah titik operasi.',
  ],
  scaleTicks: [
    'Below the line: the number of impostor pairs for one false match.',
    'Di bawah garis: jumlah pasangan impostor untuk satu kecocokan salah.',
  ],
} as const satisfies Area;
