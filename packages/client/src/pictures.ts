/**
 * A JPEG, PNG, WebP or AVIF: bytes, a Blob or File, a string with base64 or a data URL, or in Node a file. A string is never a
 * path: base64 of a JPEG starts like one, and input from outside must not be able to read a file.
 */
export type Picture = string | Uint8Array | ArrayBuffer | Blob | URL | { readonly path: string };

/** Bytes encoded at a time: a multiple of 3, and below the limit of arguments of a call. */
const chunk = 0x6000;

/** Whether a request field holds a picture. */
const isPictureField = (name: string) => name === 'image' || name.endsWith('_image');

/**
 * Copies the fields with every picture as base64.
 * @throws TypeError when a picture field holds something else, and for a number that JSON would send as null: none
 */
export async function withPicturesAsText(value: unknown, path = ''): Promise<unknown> {
  if (Array.isArray(value)) {
    return Promise.all(value.map((item, index) => withPicturesAsText(item, `${path}[${index}]`)));
  }
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError(`${path}: found ${value}; allowed is a finite number`);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(async ([name, field]): Promise<[string, unknown]> => {
    const inner = path === '' ? name : `${path}.${name}`;
    const isPicture = isPictureField(name) && field !== undefined && field !== null;
    if (name === 'images' && Array.isArray(field)) {
      const texts = field.map((picture: unknown, at) => base64Of(picture, `${inner}[${at}]`));
      return [name, await Promise.all(texts)];
    }
    return [name, isPicture ? await base64Of(field, inner) : await withPicturesAsText(field, inner)];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Base64 of a picture; a string is returned unchanged. */
async function base64Of(picture: unknown, name: string): Promise<string> {
  if (typeof picture === 'string') return picture;
  if (picture instanceof Uint8Array) return encode(picture);
  if (picture instanceof ArrayBuffer) return encode(new Uint8Array(picture));
  if (picture instanceof Blob) return encode(new Uint8Array(await picture.arrayBuffer()));
  if (picture instanceof URL && picture.protocol === 'file:') return encode(await readFile(picture));
  const path = (picture as { path?: unknown } | null)?.path;
  if (typeof path === 'string') return encode(await readFile(path));
  throw new TypeError(`${name}: ${described(picture)} is no picture; allowed are ${allowed}`);
}

const allowed = 'bytes, a Blob, base64 or a data URL as text, { path } or a file: URL';

function described(value: unknown): string {
  if (value instanceof URL) return `a URL of ${value.protocol}`;
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function encode(bytes: Uint8Array): string {
  let text = '';
  for (let from = 0; from < bytes.length; from += chunk) {
    text += btoa(String.fromCharCode(...bytes.subarray(from, from + chunk)));
  }
  return text;
}

/** The module name is no literal: bundlers for browsers would try to resolve it. */
async function readFile(path: string | URL): Promise<Uint8Array> {
  if (!('process' in globalThis))
    throw new TypeError(`${path}: only Node reads files; give a Blob or a File`);
  const name = 'node:fs/promises';
  const files: { readFile(path: string | URL): Promise<Uint8Array> } = await import(
    /* @vite-ignore */ /* webpackIgnore: true */ name
  );
  return files.readFile(path);
}
