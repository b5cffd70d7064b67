import sharp from 'sharp';
import { storedAs } from '../support/pictures.ts';
import { type Expression, headSvg } from './drawn-parts.ts';
import { type DrawnPerson, PERSONS, type PersonName } from './drawn-person.ts';

export { type DrawnPerson, PERSONS, type PersonName } from './drawn-person.ts';

/** One face in a drawn picture; what is left out is an ordinary open-eyed, closed-mouthed face. */
export interface DrawnFace extends Partial<Expression> {
  readonly person?: PersonName | DrawnPerson;
  /** Point between the eyes, in pixels of the picture. */
  readonly x: number;
  readonly y: number;
  /** Crown to chin, pixels; the face box (brow to chin) is a little more than half of it. */
  readonly size: number;
  /** Tilt towards the person's own left shoulder, degrees. */
  readonly tilt?: number;
}

export interface DrawnPicture {
  readonly width: number;
  readonly height: number;
  readonly faces: readonly DrawnFace[];
  /** 1 leaves the light as it is, below is darker. */
  readonly brightness?: number;
  /** Gaussian blur, standard deviation in pixels. */
  readonly blur?: number;
  readonly format?: 'jpeg' | 'png';
  /** EXIF orientation (1…8): stored turned and marked so, as cameras do; a JPEG. */
  readonly orientation?: number;
  readonly background?: string;
  /** Cards below faces: `face` is the index of the face that is printed on the card. */
  readonly cards?: readonly { readonly face: number }[];
}

/** One face in the middle of a picture. */
export type DrawnFaceOptions = Omit<DrawnPicture, 'faces' | 'width' | 'height' | 'cards'> &
  Partial<Pick<DrawnPicture, 'width' | 'height'>> &
  Partial<DrawnFace>;

/**
 * A drawn face that the engine takes for one: for tests in a fresh clone, which has no photographs.
 * @example
 * const jpeg = await drawnFace({ person: 'budi', mouth: 'open' });
 * const second = await drawnFace({ person: 'budi', tilt: 8, brightness: 0.8 }); // the same person again
 */
export async function drawnFace(options: DrawnFaceOptions = {}): Promise<Buffer> {
  const { width = 480, height = 600 } = options;
  const { brightness, blur, format, background, orientation, ...rest } = options;
  const face = { x: width / 2, y: height * 0.46, size: Math.min(width, height) * 0.62, ...rest };
  const light = {
    ...(brightness && { brightness }),
    ...(blur && { blur }),
    ...(background && { background }),
  };
  return drawnPicture({ width, height, faces: [face], ...light, ...(format && { format }) });
}

/** `drawnFace`, its square picture brought to other proportions. */
export async function squeezedFace(person: PersonName, width: number, height: number): Promise<Buffer> {
  const picture = sharp(await drawnFace({ person, width: 600, height: 600 }));
  return picture.resize({ width, height, fit: 'fill' }).toBuffer();
}

/**
 * A selfie with an identity card: the person large, the face on the card small.
 * @example const jpeg = await drawnSelfieWithCard({ person: 'ani', onCard: 'ani' });
 */
export async function drawnSelfieWithCard(
  options: { person?: PersonName; onCard?: PersonName } = {},
): Promise<Buffer> {
  const { person = 'ani', onCard = person } = options;
  return drawnPicture({
    width: 900,
    height: 1100,
    faces: [
      { person, x: 450, y: 400, size: 520 },
      { person: onCard, x: 560, y: 890, size: 130 },
    ],
    cards: [{ face: 1 }],
  });
}

const drawn = new Map<string, Promise<Buffer>>();

/** Any number of faces, anywhere. A picture is drawn once a process; each call gets a copy of its own. */
export async function drawnPicture(picture: DrawnPicture): Promise<Buffer> {
  const key = JSON.stringify(picture);
  const bytes = drawn.get(key) ?? draw(picture);
  drawn.set(key, bytes);
  return Buffer.from(await bytes);
}

async function draw(picture: DrawnPicture): Promise<Buffer> {
  const { brightness = 1, blur = 0, format = 'jpeg' } = picture;
  let image = sharp(Buffer.from(pictureSvg(picture))).flatten();
  if (blur > 0) image = image.blur(blur);
  if (brightness !== 1) image = image.linear(brightness, 0);
  if (picture.orientation !== undefined) return storedAs(picture.orientation, await image.png().toBuffer());
  return format === 'png' ? image.png().toBuffer() : image.jpeg({ quality: 92 }).toBuffer();
}

function pictureSvg({ width, height, faces, cards = [], background = '#9fb0bd' }: DrawnPicture): string {
  const onCard = new Set(cards.map(({ face }) => face));
  const drawn = faces.map((face, i) => (onCard.has(i) ? cardSvg(face, i) : faceSvg(face, i)));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<defs><linearGradient id="room" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${background}"/><stop offset="1" stop-color="#6d7c88"/></linearGradient></defs>
<rect width="${width}" height="${height}" fill="url(#room)"/>
${drawn.join('\n')}
</svg>`;
}

function faceSvg(face: DrawnFace, index: number): string {
  const { person = 'ani', x, y, size, tilt = 0 } = face;
  const { leftEye = 'open', rightEye = 'open', mouth = 'closed' } = face;
  const { mask = false, sunglasses = false } = face;
  const drawn = typeof person === 'string' ? PERSONS[person] : person;
  const head = headSvg(drawn, { leftEye, rightEye, mouth, mask, sunglasses }, String(index));
  return `<g transform="translate(${x} ${y}) rotate(${tilt}) scale(${size / 200})">${head}</g>`;
}

/** A card twice as wide as the face on it is high, with lines of print at the left and the face at the right. */
function cardSvg(face: DrawnFace, index: number): string {
  const { x, y, size } = face;
  const left = x - size * 2;
  const top = y - size * 0.8;
  const line = (i: number) =>
    `<rect x="${left + size * 0.15}" y="${top + size * (0.3 + i * 0.2)}" width="${size * (1.1 - (i % 3) * 0.2)}" height="${size * 0.07}" fill="#3a4a6a"/>`;
  const photo = `<rect x="${x - size * 0.55}" y="${y - size * 0.65}" width="${size * 1.1}" height="${size * 1.35}"`;
  return `<rect x="${left}" y="${top}" width="${size * 2.7}" height="${size * 1.7}" rx="${size * 0.08}" fill="#bcd9ec"/>
${[0, 1, 2, 3, 4, 5].map(line).join('')}
<clipPath id="photo${index}">${photo}/></clipPath>${photo} fill="#c0392b"/>
<g clip-path="url(#photo${index})">${faceSvg(face, index)}</g>`;
}
