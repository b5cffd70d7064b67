import type { Endpoint } from '@wajah/contract';
import type { Random } from './random.ts';
import { hostileNames, hostileNumbers } from './values.ts';

/** JSON texts of values that no field expects, and texts that are no JSON. */
const values: readonly string[] = [
  ...hostileNumbers,
  ...hostileNames.map((name) => JSON.stringify(name)),
  ...['null', 'true', '""', '[]', '{}', '"data:image/jpeg;base64,"', '"data:text/html,<script>"'],
  ...['"/9j/"', '"/9j/4AAQSkZJRg=="', '"====="', '"iVBORw0KGgo="', '"R0lGODlhAQABAAAAACw="', '"UklGRg=="'],
  ...['"____----"', '"QQ"', '"Q Q="', `[${'0,'.repeat(500)}0]`, '[[[[[]]]]]'],
  ...[`${'['.repeat(300)}${']'.repeat(300)}`, `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`],
  ...['{"__proto__":{"status":"200"}}', '{"constructor":{"prototype":1}}', '{"toString":1}', '{"then":1}'],
];

const fields = [
  '__proto__',
  'constructor',
  'trx_id',
  'image',
  'user_id',
  'facegallery_id',
  'batch',
  '',
  'a\\u0000b',
];

/** Pictures that are broken behind a right beginning. @param picture a JPEG */
function brokenPicture(random: Random, picture: Buffer): string {
  const cut = picture.subarray(0, 2 + random.whole(picture.length));
  const copy = Buffer.from(random.oneIn(2) ? cut : picture);
  for (let flips = random.whole(8); flips > 0; flips--) copy[random.whole(copy.length)] = random.whole(256);
  return copy.toString('base64');
}

/** A JSON object with fields of the endpoint, some of them hostile; then often damaged. */
export function hostileJson(random: Random, { request, example }: Endpoint, picture: Buffer): Buffer {
  const members = Object.keys(request.shape).flatMap((name) => {
    if (random.oneIn(6)) return [];
    if (/image/.test(name) && random.oneIn(2)) return `"${name}":"${brokenPicture(random, picture)}"`;
    const given = example.request[name];
    const text = random.oneIn(3) || given === undefined ? random.pick(values) : JSON.stringify(given);
    return `"${name}":${text}`;
  });
  while (random.oneIn(3)) members.push(`"${random.pick(fields)}":${random.pick(values)}`);
  return damaged(random, `{${members.join(',')}}`);
}

function damaged(random: Random, text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  switch (random.whole(12)) {
    case 0:
      return bytes.subarray(0, random.whole(bytes.length));
    case 1:
      bytes[random.whole(bytes.length)] = random.whole(256);
      return bytes;
    case 2:
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
    case 3:
      return Buffer.from(text, 'utf16le');
    case 4:
      return Buffer.concat([bytes, random.bytes(20)]);
    case 5:
      return random.bytes(random.whole(300));
    case 6:
      return Buffer.from(random.pick(values));
    default:
      return bytes;
  }
}

const names = [
  ...[
    'image',
    'source_image',
    'user_id',
    'facegallery_id',
    'attributes',
    'face_parameters',
    'batch',
    'frames',
  ],
  ...['frames[0].image', 'frames[][step]', 'frames[999].image', 'batch[0]', 'face_parameters[angle]'],
  ...['__proto__', 'constructor[prototype]', 'frames[0].__proto__', 'batch[-1].image', ''],
];

/** A form with a file, often without its end, with a wrong boundary, or with parts that are none. */
export function hostileForm(random: Random, boundary: string): Buffer {
  const used = random.oneIn(3) ? `${boundary}x` : boundary;
  const parts = Array.from({ length: random.whole(4) }, () => {
    const name = random.pick([...names, '../x', '"', '\r\nX: y', 'a'.repeat(300)]);
    const file = random.oneIn(2) ? `; filename="${name}"` : '';
    const head = `--${used}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n`;
    return Buffer.concat([Buffer.from(`${head}\r\n`), random.bytes(random.whole(200)), Buffer.from('\r\n')]);
  });
  return Buffer.concat([...parts, Buffer.from(random.oneIn(2) ? `--${used}--\r\n` : `--${used}`)]);
}
