/**
 * A JPEG or PNG: bytes, a Blob or File, base64 or a data URL as text, or a file (Node). A text is never taken for
 * a path: base64 of a JPEG starts as a path does, and who sends a text must not be able to have a file read.
 */
export type Picture = string | Uint8Array | ArrayBuffer | Blob | URL | { readonly path: string };

/** Bytes that become text at a time; a multiple of 3, and few enough for one call with as many arguments. */
const chunk = 0x6000;

/** Fields of requests that hold a picture. */
const isPictureField = (name: string) => name === 'image' || name.endsWith('_image');

/**
 * The same fields with every picture as base64.
 * @throws TypeError when something is no picture
 */
export async function withPicturesAsText(value: unknown, path = ''): Promise<unknown> {
  if (Array.isArray(value)) {
    return Promise.all(value.map((item, index) => withPicturesAsText(item, `${path}[${index}]`)));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(async ([name, field]): Promise<[string, unknown]> => {
    const inner = path === '' ? name : `${path}.${name}`;
    const isPicture = isPictureField(name) && field !== undefined && field !== null;
    return [name, isPicture ? await base64Of(field, inner) : await withPicturesAsText(field, inner)];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Base64 of a picture; a text is taken as it stands. */
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

/** The name is no literal, so that bundlers for browsers do not look for it. */
async function readFile(path: string | URL): Promise<Uint8Array> {
  if (!('process' in globalThis))
    throw new TypeError(`${path}: only Node reads files; give a Blob or a File`);
  const name = 'node:fs/promises';
  const files: { readFile(path: string | URL): Promise<Uint8Array> } = await import(
    /* @vite-ignore */ /* webpackIgnore: true */ name
  );
  return files.readFile(path);
}
