import sharp from 'sharp';

/** Another grain in each picture, about as coarse as pores: what light makes of skin from another side. */
export async function grainy(picture: Uint8Array, seed: number): Promise<Buffer> {
  const { width, height } = await sharp(picture).metadata();
  let state = seed;
  const grain = Uint8Array.from({ length: width * height }, () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
  const coarse = await sharp(grain, { raw: { width, height, channels: 1 } })
    .blur(1.6)
    .normalise()
    .linear(0.6, 51)
    .toColourspace('srgb')
    .png()
    .toBuffer();
  return sharp(picture)
    .composite([{ input: coarse, blend: 'soft-light' }])
    .jpeg({ quality: 92 })
    .toBuffer();
}

/** Other shadows in each picture: what light makes of a face that turns. */
export async function shaded(picture: Uint8Array, seed: number): Promise<Buffer> {
  const { width, height } = await sharp(picture).metadata();
  const at = (i: number) => 50 + 22 * Math.sin(2.4 * seed + 1.9 * i);
  const spots = [1, 2, 3, 4, 5].map(
    (i) =>
      `<radialGradient id="s${i}" gradientUnits="userSpaceOnUse" cx="${(at(i) * width) / 100}" cy="${(at(i + 7) * height) / 100}" r="${width / 9}"><stop offset="0" stop-color="${i % 2 ? '#000' : '#fff'}" stop-opacity="0.4"/><stop offset="1" stop-color="#000" stop-opacity="0"/></radialGradient><rect width="${width}" height="${height}" fill="url(#s${i})"/>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${spots.join('')}</svg>`;
  return sharp(picture)
    .composite([{ input: Buffer.from(svg) }])
    .jpeg({ quality: 95 })
    .toBuffer();
}

/** The picture on a screen: every third row and column of pixels is darker. */
export async function rastered(picture: Uint8Array): Promise<Buffer> {
  const line = [0, 0, 0, 90];
  const bare = [0, 0, 0, 0];
  const data = Uint8Array.from([line, line, line, line, bare, bare, line, bare, bare].flat());
  const input = await sharp(data, { raw: { width: 3, height: 3, channels: 4 } })
    .png()
    .toBuffer();
  return sharp(picture)
    .composite([{ input, tile: true }])
    .jpeg({ quality: 95 })
    .toBuffer();
}
