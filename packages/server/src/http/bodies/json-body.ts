import { randomUUID } from 'node:crypto';
import type { Picture } from '@wajah/contract';
import { Refusal } from '../../errors.ts';
import { GatheredBytes } from '../../lib/gathered-bytes.ts';
import { Rest } from './body-reader.ts';
import { findJsonFault } from './json-fault.ts';
import { EscapedPictureText } from './picture-text.ts';
import type { BodyBounds, BodyReader } from './ports.ts';

const [quotationMark, backslash, colon, space] = [0x22, 0x5c, 0x3a, 0x20];
const [openBracket, closeBracket, openBrace] = [0x5b, 0x5d, 0x7b];

/** A picture that was cut out of the JSON. */
interface Cut {
  /** What stands for it in the JSON. No caller knows it. */
  readonly mark: string;
  /** UTF-16 units of its text. */
  readonly length: number;
  readonly picture: Picture;
}

/** Where the reader is: a colon behind a text makes it a name, whose value may be a list. */
type Place = 'in a text' | 'behind a text' | 'behind a name' | 'in a list' | 'elsewhere';

/**
 * Reads a body of JSON while it arrives. The texts of a field that takes a picture, or a list of them, are cut out and
 * decoded piece by piece. All else is kept, bounded, and parsed in the end.
 */
export class JsonReader implements BodyReader<JsonBody> {
  readonly #bounds: BodyBounds;
  readonly #names: ReadonlySet<string>;
  readonly #rest: Rest;
  readonly #uuid = randomUUID();
  readonly #cuts: Cut[] = [];
  readonly #json = new GatheredBytes();
  #place: Place = 'elsewhere';
  /** Place of the last text in the JSON. */
  #text = { start: 0, end: 0 };
  #isEscaped = false;
  #picture: EscapedPictureText | null = null;

  /** @param names of the fields that take a picture, at any depth @param rest of a body that has further parts */
  constructor(bounds: BodyBounds, names: ReadonlySet<string>, rest = new Rest(bounds)) {
    this.#bounds = bounds;
    this.#names = names;
    this.#rest = rest;
  }

  write(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) at = this.#picture ? this.#readPicture(chunk, at) : this.#readRest(chunk, at);
  }

  end(): JsonBody {
    if (this.#picture) this.#endPicture(this.#picture);
    return new JsonBody(this.#json.bytes, this.#cuts);
  }

  /** Reads to the beginning of a text that is a value, or the end. @returns where to read on */
  #readRest(chunk: Buffer, from: number): number {
    const before = this.#json.size - from;
    let at = from;
    for (; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.#place === 'in a text') this.#readText(byte, before + at);
      else if (byte === quotationMark) {
        if (this.#place === 'behind a name' || this.#place === 'in a list') break;
        this.#beginText(before + at + 1);
      } else if (byte === colon && this.#place === 'behind a text') this.#place = 'behind a name';
      else if (byte > space) this.#place = this.#placeAfter(byte);
    }
    this.#keep(chunk.subarray(from, at + 1));
    if (at >= chunk.length) return at;
    const name = this.#json.bytes.toString('latin1', this.#text.start, this.#text.end);
    if (this.#names.has(name)) this.#picture = new EscapedPictureText(this.#bounds.picture);
    else this.#beginText(this.#json.size);
    return at + 1;
  }

  /** A list ends with it, and with a list or an object in it. */
  #placeAfter(byte: number): Place {
    if (this.#place === 'behind a name' && byte === openBracket) return 'in a list';
    const isInside = byte !== openBracket && byte !== closeBracket && byte !== openBrace;
    return this.#place === 'in a list' && isInside ? 'in a list' : 'elsewhere';
  }

  #beginText(start: number): void {
    this.#place = 'in a text';
    this.#text.start = start;
  }

  #readText(byte: number, at: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quotationMark) {
      this.#text.end = at;
      this.#place = 'behind a text';
    }
  }

  #readPicture(chunk: Buffer, from: number): number {
    const picture = this.#picture!;
    const rest = chunk.subarray(from);
    const end = picture.endIn(rest);
    picture.write(end < 0 ? rest : rest.subarray(0, end));
    if (end < 0) return chunk.length;
    this.#endPicture(picture);
    if (this.#place !== 'in a list') this.#place = 'elsewhere';
    this.#keep(rest.subarray(end, end + 1));
    return from + end + 1;
  }

  #endPicture(text: EscapedPictureText): void {
    this.#picture = null;
    const picture = text.end();
    const mark = `${this.#uuid} ${this.#cuts.length}`;
    this.#cuts.push({ mark, length: text.length, picture });
    this.#keep(Buffer.from(mark + text.fault));
  }

  #keep(bytes: Buffer): void {
    this.#rest.add(bytes.length);
    this.#json.add(bytes);
  }
}

/** A body of JSON whose pictures were cut out. */
export class JsonBody {
  /** JSON in which a mark stands for each picture. */
  readonly #json: Buffer;
  readonly #cuts: readonly Cut[];

  constructor(json: Buffer, cuts: readonly Cut[] = []) {
    this.#json = json;
    this.#cuts = cuts;
  }

  /** @throws Refusal `bodyNotUtf8` */
  get text(): string {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(this.#json);
    } catch {
      throw new Refusal('bodyNotUtf8');
    }
  }

  /** The value, with its pictures. @throws Refusal `bodyNotUtf8` | `notJson` | `jsonTooDeep` */
  value(): unknown {
    const { text } = this;
    const pictures = new Map(this.#cuts.map(({ mark, picture }) => [mark, picture]));
    const withPictures = (_: string, value: unknown) =>
      typeof value === 'string' ? (pictures.get(value) ?? value) : value;
    try {
      return pictures.size === 0 ? JSON.parse(text) : JSON.parse(text, withPictures);
    } catch {
      throw this.#refusal(text);
    }
  }

  /** Names place and problem of the first fault, and quotes nothing: it may be a picture. */
  #refusal(text: string): Refusal {
    const fault = findJsonFault(text);
    if (fault === null) return new Refusal('jsonTooDeep');
    let { offset, column } = fault;
    const lineStart = offset - column;
    let at = 0;
    for (const { mark, length } of this.#cuts) {
      at = text.indexOf(mark, at);
      if (at > fault.offset) break;
      offset += length - mark.length;
      if (at > lineStart) column += length - mark.length;
    }
    return new Refusal('notJson', { ...fault, offset, column });
  }
}
