import sharp from 'sharp';

/**
 * Adds light from one side and marks to a drawn face, which is otherwise symmetric, unlike a real one.
 * @param picture shows one face in the middle, as from `drawnFace`
 */
export async function uneven(picture: Uint8Array): Promise<Buffer> {
  const { width, height } = await sharp(picture).metadata();
  const mark = (x: number, y: number, r: number) =>
    `<circle cx="${x * width}" cy="${y * height}" r="${r * width}" fill="#3a2318" opacity="0.55"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<defs><linearGradient id="light"><stop offset="0.25" stop-color="#000" stop-opacity="0.34"/><stop offset="0.62" stop-color="#000" stop-opacity="0"/></linearGradient></defs>
<rect width="${width}" height="${height}" fill="url(#light)"/>${mark(0.405, 0.535, 0.011)}${mark(0.57, 0.585, 0.008)}${mark(0.6, 0.39, 0.007)}
</svg>`;
  return sharp(picture)
    .composite([{ input: Buffer.from(svg) }])
    .jpeg({ quality: 95 })
    .toBuffer();
}
