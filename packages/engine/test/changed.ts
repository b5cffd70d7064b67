import sharp from 'sharp';

/** One picture in the ways in which a frame is sent again under other bytes. */
export async function changed(
  picture: Uint8Array,
): Promise<Record<'again' | 'brighter' | 'darker' | 'smaller' | 'cut', Buffer>> {
  const { width, height } = await sharp(picture).metadata();
  const cut = {
    left: Math.round(width * 0.06),
    top: Math.round(height * 0.03),
    width: Math.round(width * 0.88),
    height: Math.round(height * 0.94),
  };
  return {
    again: await sharp(picture).jpeg({ quality: 60 }).toBuffer(),
    brighter: await sharp(picture).linear(1.2, 8).jpeg({ quality: 85 }).toBuffer(),
    darker: await sharp(picture).linear(0.7, 0).jpeg({ quality: 85 }).toBuffer(),
    smaller: await sharp(picture)
      .resize(Math.round(width * 0.7))
      .jpeg({ quality: 85 })
      .toBuffer(),
    cut: await sharp(picture).extract(cut).jpeg({ quality: 88 }).toBuffer(),
  };
}
