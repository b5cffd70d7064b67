import { maxImagePixels, pictureTypes } from '@wajah/contract/values';

/** A picture that the server accepts. */
export interface Picture {
  readonly name: string;
  /** Size and time of the file: they tell files of one name apart. */
  readonly version: string;
  /** Object URL, valid until `releasePictures`. */
  readonly url: string;
  /** Of a format that the server reads. */
  readonly blob: Blob;
}

/** Bytes above which a picture is scaled down; the default limit of the server is 10 MiB. */
const maxBytes = 9 * 2 ** 20;
/** Pixels of the longer side above which it is, too, as above those that the server takes: the default limit of the server. */
const maxLongSide = 16_384;
/** Longest side of a scaled picture, pixels. */
const maxSide = 4_000;
const jpegQuality = 0.92;

/** Reads files as pictures. @returns the names of those that the browser cannot decode beside them */
export async function picturesFrom(
  files: ArrayLike<File>,
): Promise<{ pictures: Picture[]; unreadable: string[] }> {
  const pictures: Picture[] = [];
  const unreadable: string[] = [];
  for (const file of Array.from(files)) {
    try {
      pictures.push(await pictureFrom(file));
    } catch {
      unreadable.push(file.name);
    }
  }
  return { pictures, unreadable };
}

/**
 * Reads a file as a picture. What the server does not read and very large files are converted to JPEG.
 * @throws Error where the browser cannot decode it: a file whose name says that it is a picture may be none
 */
export async function pictureFrom(file: File): Promise<Picture> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
  const accepted = pictureTypes.includes(file.type) && file.size <= maxBytes && isSmall(bitmap);
  const blob = accepted ? file : await jpegOf(bitmap, bitmap.width, bitmap.height, maxSide);
  bitmap.close();
  const version = `${file.size} ${file.lastModified}`;
  return { name: file.name, version, url: URL.createObjectURL(blob), blob };
}

/** Pixels of the upright picture. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Room around a box that is kept, as a share of its longer side. */
const room = 0.75;

/** A copy of a picture, or of the surroundings of a box in it; the copy is released for itself. */
export async function croppedPicture({ blob, ...picture }: Picture, box?: Box): Promise<Picture> {
  const cropped = box ? await jpegAround(blob, box) : blob;
  return { ...picture, url: URL.createObjectURL(cropped), blob: cropped };
}

async function jpegAround(blob: Blob, { x, y, width, height }: Box): Promise<Blob> {
  const whole = await createImageBitmap(blob, { imageOrientation: 'from-image' });
  const margin = room * Math.max(width, height);
  const [left, top] = [Math.max(0, x - margin), Math.max(0, y - margin)];
  const [right, bottom] = [
    Math.min(whole.width, x + width + margin),
    Math.min(whole.height, y + height + margin),
  ];
  const part = await createImageBitmap(whole, left, top, right - left, bottom - top);
  const jpeg = await jpegOf(part, part.width, part.height);
  for (const bitmap of [whole, part]) bitmap.close();
  return jpeg;
}

/** Frees the memory of pictures. */
export function releasePictures(pictures: readonly Picture[]): void {
  for (const { url } of pictures) URL.revokeObjectURL(url);
}

function isSmall({ width, height }: ImageBitmap): boolean {
  return width * height <= maxImagePixels && Math.max(width, height) <= maxLongSide;
}

/** The current frame of a source as a JPEG. @param side longest side of the JPEG, pixels */
export function jpegOf(
  source: CanvasImageSource,
  width: number,
  height: number,
  side = Number.POSITIVE_INFINITY,
): Promise<Blob> {
  const canvas = document.createElement('canvas');
  const scale = Math.min(1, side / Math.max(width, height));
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext('2d')!.drawImage(source, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('the picture could not be encoded'))),
      'image/jpeg',
      jpegQuality,
    );
  });
}

export function dataUrlOf({ blob }: Picture): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('the file could not be read'));
    reader.readAsDataURL(blob);
  });
}
