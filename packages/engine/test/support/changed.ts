import sharp, { type Sharp } from 'sharp';

const jpeg = (picture: Sharp, quality = 85) => picture.jpeg({ quality }).toBuffer();

/** One picture in the ways in which a frame is sent again under other bytes. */
export async function changed(picture: Uint8Array) {
  const { width, height } = await sharp(picture).metadata();
  const cut = {
    left: Math.round(width * 0.06),
    top: Math.round(height * 0.03),
    width: Math.round(width * 0.88),
    height: Math.round(height * 0.94),
  };
  const wide = (share: number) => Math.round(width * share);
  const framed = sharp(picture).extend({ top: 30, bottom: 50, left: 30, right: 30, background: '#223' });
  return {
    again: await jpeg(sharp(picture), 60),
    coarse: await jpeg(sharp(picture), 30),
    brighter: await jpeg(sharp(picture).linear(1.2, 8)),
    darker: await jpeg(sharp(picture).linear(0.7, 0)),
    contrast: await jpeg(sharp(picture).linear(1.4, -40)),
    grey: await jpeg(sharp(picture).greyscale()),
    smaller: await jpeg(sharp(picture).resize(wide(0.7))),
    half: await jpeg(sharp(picture).resize(wide(0.5))),
    larger: await jpeg(sharp(picture).resize(wide(1.4))),
    stretched: await jpeg(sharp(picture).resize(wide(1.06), height, { fit: 'fill' })),
    cut: await jpeg(sharp(picture).extract(cut), 88),
    mirrored: await jpeg(sharp(picture).flop()),
    turned: await jpeg(sharp(picture).rotate(7, { background: '#888' })),
    sharpened: await jpeg(sharp(picture).sharpen({ sigma: 1.2 })),
    blurred: await jpeg(sharp(picture).blur(1.2)),
    framed: await jpeg(framed, 60),
  };
}
