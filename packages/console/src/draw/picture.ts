/** A picture that the server takes. */
export interface Picture {
  readonly name: string;
  /** Address for `<img>`, good until `forget`. */
  readonly url: string;
  /** JPEG or PNG. */
  readonly blob: Blob;
}

/** The browser could not read a file as a picture. */
export class UnreadablePicture extends Error {
  readonly fileName: string;

  constructor(fileName: string) {
    super(`unreadable picture ${fileName}`);
    this.fileName = fileName;
  }
}

/** Bytes above which a picture is made smaller; the server's own limit is 10 MiB by default. */
const mostBytes = 9 * 2 ** 20;
/** Longest side of a picture that is made smaller, pixels. */
const longestSide = 4_000;
const jpegQuality = 0.92;

/**
 * A file as a picture: JPEG and PNG go as they are, other types and very large files are turned into a JPEG.
 * @throws UnreadablePicture
 */
export async function pictureOf(file: File): Promise<Picture> {
  const taken = /^image\/(jpeg|png)$/.test(file.type) && file.size <= mostBytes;
  const blob = taken ? file : await asJpeg(file);
  return { name: file.name, url: URL.createObjectURL(blob), blob };
}

/** Gives the memory of pictures back. */
export function forget(pictures: readonly Picture[]): void {
  for (const { url } of pictures) URL.revokeObjectURL(url);
}

async function asJpeg(file: File): Promise<Blob> {
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
  } catch {
    throw new UnreadablePicture(file.name);
  }
  const scale = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height));
  const blob = await jpegOf(bitmap, bitmap.width * scale, bitmap.height * scale);
  bitmap.close();
  return blob;
}

/** What a source shows now, as a JPEG. */
export function jpegOf(source: CanvasImageSource, width: number, height: number): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width);
  canvas.height = Math.round(height);
  canvas.getContext('2d')!.drawImage(source, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('no picture could be made'))),
      'image/jpeg',
      jpegQuality,
    );
  });
}

/** A picture as text. */
export function dataUrlOf({ blob }: Picture): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('the file could not be read'));
    reader.readAsDataURL(blob);
  });
}
