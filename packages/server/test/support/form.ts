/** How the name of a field within a list or object is written. */
export type Naming = (path: readonly (string | number)[]) => string;

/** `frames[0].image` */
export const dotted: Naming = (path) =>
  path.map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at > 0 ? '.' : ''}${part}`)).join('');

/** `frames[0][image]` */
export const bracketed: Naming = ([first, ...rest]) => `${first}${rest.map((part) => `[${part}]`).join('')}`;

/** `frames[][image]` */
export const unnumbered: Naming = (path) =>
  bracketed(path.map((part) => (typeof part === 'number' ? '' : part)));

/** The fields of a JSON body as a multipart form: pictures as files, everything else as text. */
export async function formOf(fields: object, nameOf: Naming = dotted) {
  const form = new FormData();
  for (const [path, value] of leaves(fields)) {
    const name = nameOf(path);
    if ((path[0] === 'images' || String(path.at(-1)).endsWith('image')) && typeof value === 'string')
      form.append(name, new Blob([Buffer.from(value, 'base64')], { type: 'image/jpeg' }), 'face.jpg');
    else form.append(name, String(value));
  }
  return encodeForm(form);
}

/** Body and Content-Type of a form. */
export async function encodeForm(form: FormData): Promise<{ payload: Buffer; type: string }> {
  const response = new Response(form);
  const payload = Buffer.from(await response.arrayBuffer());
  return { payload, type: response.headers.get('content-type') ?? '' };
}

function leaves(value: unknown, path: (string | number)[] = []): [(string | number)[], unknown][] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((one, index) => leaves(one, [...path, index]));
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([name, one]) => leaves(one, [...path, name]));
}
