/** A body of one kind: what is repeated makes its size. */
export interface Kind {
  readonly name: string;
  readonly type: string;
  readonly begin: string;
  readonly repeated: string;
  readonly end: string;
}

const boundary = 'b'.repeat(70);
const formType = `multipart/form-data; boundary=${boundary}`;
/** The longest that a header of a request holds, nearly. */
const longBoundary = 'b'.repeat(6500);

type Row = readonly [name: string, begin: string, repeated: string, end: string];

/** In the text of a picture, in JSON. */
const inPicture: readonly Row[] = [
  ['letters', '', 'QUJD', ''],
  ['a header, then letters', 'data:image/jpeg;base64,', 'QUJD', '='],
  ['letters like a header', 'data:', 'image', ''],
  ['blanks before', '', ' ', 'QUJD'],
  ['line breaks before', '', '\\n', 'QUJD'],
  ['wide blanks before', '', '\u3000', 'QUJD'],
  ['blanks within, behind a line break', 'QUJD\\n', ' ', 'QUJD'],
  ['wide blanks within', 'QUJD\\n', '\u3000', 'QUJD'],
  ['blanks within a line', 'QUJD', ' ', 'QUJD'],
  ['blanks after', 'QUJD', ' ', ''],
  ['line breaks after', 'QUJD', '\\r\\n', ''],
  ['lines of 76', '', `${'QUJD'.repeat(19)}\\r\\n`, ''],
  ['lines of one letter', '', 'Q\\n', ''],
  ['indented lines', '', 'Q\\n\\t ', ''],
  ['padding', 'Q', '=', ''],
  ['letters behind padding', 'QQ=', 'QUJD', ''],
  ['other letters', '', 'é', ''],
  ['other letters, then letters', 'é', 'QUJD', ''],
  ['slashes as PHP escapes them', '', 'QU\\/D', ''],
  ['letters as escapes', '', '\\u0051', ''],
  ['quotation marks', '', '\\"', ''],
  ['backslashes', '', '\\\\', ''],
  ['control characters', '', '\u0001', ''],
  ['an escape that is none', '\\x', 'QUJD', ''],
];

/** Elsewhere in JSON. */
const inJson: readonly Row[] = [
  ['blanks', '{', ' ', '}'],
  ['line breaks', '{', '\n', '}'],
  ['brackets', '', '[', ''],
  ['digits', '[', '1', ']'],
  ['fields', '{"a":1', ',"b":2', '}'],
  ['a text', '{"user_id":"', 'A', '"}'],
  ['escapes in a text', '{"user_id":"', '\\u0041', '"}'],
  ['backslashes in a text', '{"user_id":"', '\\\\', '"}'],
  ['a name', '{"', 'A', '":1}'],
  ['small pictures', '{"a":1', ',"image":"QUJD"', '}'],
  ['pictures', '{"a":1', `,"image":"${'QUJD'.repeat(400)}"`, '}'],
];

const field = `--${boundary}\r\nContent-Disposition: form-data; name=`;
const image = `${field}"image"\r\n\r\n`;
const file = `${field}"image"; filename="a"\r\n\r\n`;
const last = `\r\n--${boundary}--\r\n`;
/** Without the last letter. */
const near = `\r\n--${boundary.slice(1)}`;

const inForm: readonly Row[] = [
  ['a file of zeros', file, '\0', last],
  ['a file of line breaks', file, '\r\n', last],
  ['a file of near delimiters', file, near, last],
  ['a file of near delimiters in a row', `${file}\r\n--`, 'b', last],
  ['a file of delimiters with more behind them', file, `\r\n--${boundary}x`, last],
  ['a file of delimiters with blanks', file, `\r\n--${boundary}${' '.repeat(1000)}x`, last],
  ['a picture of letters', image, 'QUJD', last],
  ['a picture of blanks before', image, ' ', `QUJD${last}`],
  ['a picture of blanks within', `${image}QUJD\n`, ' ', `QUJD${last}`],
  ['a picture of blanks after', `${image}QUJD`, ' ', last],
  ['a text', `${field}"nonce"\r\n\r\n`, 'A', last],
  ['a list in JSON', `${field}"frames"\r\n\r\n[{}`, ',{}', `]${last}`],
  ['small parts', '', `${field}"a"\r\n\r\nx\r\n`, last.slice(2)],
  ['small pictures', '', `${image}QUJD\r\n`, last.slice(2)],
  ['blanks before the first delimiter', '', ' ', `\r\n${image}QUJD${last}`],
  ['blanks behind a delimiter', `--${boundary}`, ' ', `\r\n${image}QUJD${last}`],
  ['header lines', `${field}a\r\n`, 'X-A: b\r\n', `\r\n${last}`],
  ['parameters of a header', `${field}a`, ';a="\\""', `\r\n\r\n${last}`],
  ['blanks in a header', `${field}a`, ' ', `\r\n\r\n${last}`],
  ['a file name', `${field}image; filename="`, 'a', `"\r\n\r\n${last}`],
  ['a name', `${field}"`, 'a', `"\r\n\r\n${last}`],
];

const urlencoded: readonly Row[] = [
  ['fields of a login', '', 'a=b&', ''],
  ['escapes', 'client_id=', '%41', ''],
];

const rows = (where: string, type: string, given: readonly Row[], before = '', after = ''): Kind[] =>
  given.map(([name, begin, repeated, end]) => ({
    name: `${where}: ${name}`,
    type,
    begin: before + begin,
    repeated,
    end: end + after,
  }));

/** Every kind of text that a body may have, where it is read by different code. */
export const kinds: readonly Kind[] = [
  ...rows('picture', 'application/json', inPicture, '{"image":"', '"}'),
  ...rows('JSON', 'application/json', inJson),
  ...rows('form', formType, inForm),
  {
    name: 'form: near delimiters of a boundary that is too long',
    type: `multipart/form-data; boundary=${longBoundary}`,
    begin: file.replace(boundary, longBoundary),
    repeated: `\r\n--${longBoundary.slice(1)}`,
    end: '',
  },
  ...rows('urlencoded', 'application/x-www-form-urlencoded', urlencoded),
];

/** The bytes of a body, of about this size. */
export function bodyOf({ begin, repeated, end }: Kind, bytes: number): Buffer {
  const [first, last] = [Buffer.from(begin), Buffer.from(end)];
  const unit = Buffer.from(repeated);
  const units = Math.floor((bytes - first.length - last.length) / unit.length);
  return Buffer.concat([first, Buffer.alloc(units * unit.length, unit), last]);
}
