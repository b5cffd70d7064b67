import sharp, { type Sharp } from 'sharp';

const jpeg = (picture: Sharp, quality = 85) => picture.jpeg({ quality });

/** The part of a picture without its margins. */
async function cut(picture: Sharp): Promise<Sharp> {
  const { width, height } = await picture.metadata();
  return picture.extract({
    left: Math.round(width * 0.06),
    top: Math.round(height * 0.03),
    width: Math.round(width * 0.88),
    height: Math.round(height * 0.94),
  });
}

async function scaled(picture: Sharp, wide: number, high = wide): Promise<Sharp> {
  const { width, height } = await picture.metadata();
  return picture.resize(Math.round(width * wide), Math.round(height * high), { fit: 'fill' });
}

/** Under a light from the right: a linear ramp of brightness, from 0.6 at the left to 1.4. */
async function relit(picture: Sharp): Promise<Sharp> {
  const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  for (let i = 0; i < data.length; i++) {
    const along = (Math.floor(i / info.channels) % info.width) / (info.width - 1);
    data[i] = Math.min(255, data[i]! * (0.6 + 0.8 * along));
  }
  return sharp(data, { raw: info });
}

/** Ways in which a frame is sent again under other bytes. */
const changes = {
  again: (picture: Sharp) => jpeg(picture, 60),
  coarse: (picture: Sharp) => jpeg(picture, 30),
  brighter: (picture: Sharp) => jpeg(picture.linear(1.2, 8)),
  darker: (picture: Sharp) => jpeg(picture.linear(0.7, 0)),
  contrast: (picture: Sharp) => jpeg(picture.linear(1.4, -40)),
  grey: (picture: Sharp) => jpeg(picture.greyscale()),
  relit: async (picture: Sharp) => jpeg(await relit(picture)),
  relitMirrored: async (picture: Sharp) => jpeg((await relit(picture)).flop()),
  smaller: async (picture: Sharp) => jpeg(await scaled(picture, 0.7)),
  half: async (picture: Sharp) => jpeg(await scaled(picture, 0.5)),
  larger: async (picture: Sharp) => jpeg(await scaled(picture, 1.4)),
  stretched: async (picture: Sharp) => jpeg(await scaled(picture, 1.06, 1)),
  cut: async (picture: Sharp) => jpeg(await cut(picture), 88),
  mirrored: (picture: Sharp) => jpeg(picture.flop()),
  turned: (picture: Sharp) => jpeg(picture.rotate(7, { background: '#888' })),
  sharpened: (picture: Sharp) => jpeg(picture.sharpen({ sigma: 1.2 })),
  blurred: (picture: Sharp) => jpeg(picture.blur(1.2)),
  framed: (picture: Sharp) =>
    jpeg(picture.extend({ top: 30, bottom: 50, left: 30, right: 30, background: '#223' }), 60),
};

export type Change = keyof typeof changes;

export const changeNames = Object.keys(changes) as Change[];

/** A picture as it is when somebody sends it again under other bytes: a JPEG. */
export async function changed(picture: Uint8Array, change: Change): Promise<Buffer> {
  const pipeline = await changes[change](sharp(picture));
  return pipeline.toBuffer();
}
