import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { Refusal } from '../../errors.ts';

/** A field of a multipart form (RFC 7578). */
export interface FormPart {
  /** Name of the field; empty: none was given. */
  readonly name: string;
  /** Whether it is a file: it has a file name, or a type of binary data. */
  readonly isFile: boolean;
  /** Content-Type in lower case without parameters; `text/plain` where none was given. */
  readonly type: string;
  /** Valid as long as the body that the form was read from. */
  readonly bytes: Buffer;
}

/** Most fields of a form; a batch of the greatest length has fewer. */
const mostParts = 200;

/** Most bytes of the headers of a field. */
const mostHeaderBytes = 8192;

const binary = /^(image\/|application\/octet-stream$)/;

/**
 * Splits the body of a multipart form into its fields, in their order.
 * @param contentType header of the request, which has the boundary
 * @throws Refusal `malformed` when the form is not complete, or has more than 200 fields
 * @example await readFormParts(Buffer.from(body), 'multipart/form-data; boundary=x'); // [{ name: 'user_id', … }]
 */
export function readFormParts(body: Buffer, contentType: string): Promise<FormPart[]> {
  return new Promise((resolve, reject) => {
    const parts: { name: string; isFile: boolean; type: string; chunks: Buffer[] }[] = [];
    const parser = parserOf(contentType);
    const fail = () => reject(new Refusal('malformed', incomplete));
    parser.on('file', (name, stream, filename?: string, _encoding?: string, type = '') => {
      const isFile = filename !== undefined || binary.test(type);
      const part = { name: name ?? '', isFile, type, chunks: [] as Buffer[] };
      parts.push(part);
      stream.on('data', (chunk: Buffer) => part.chunks.push(chunk)).on('error', fail);
    });
    parser.once('partsLimit', () => reject(new Refusal('malformed', tooMany)));
    parser.on('error', fail);
    parser.once('finish', () =>
      resolve(parts.map(({ chunks, ...part }) => ({ ...part, bytes: joined(chunks) }))),
    );
    parser.end(body);
  });
}

/** Every field is read as a file, whose bytes are not decoded, shortened or guessed at. */
function parserOf(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType } as BusboyHeaders,
      isPartAFile: () => true,
      limits: { parts: mostParts, headerSize: mostHeaderBytes },
    });
  } catch {
    throw new Refusal(
      'malformed',
      'Content-Type: found multipart/form-data without a boundary; leave the header to the library that makes the form',
    );
  }
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
}

const incomplete =
  'the body: the form is not complete; send all of it, with the boundary of Content-Type before each field and after the last one';

const tooMany = `the body: found a form of more than ${mostParts} fields; at most ${mostParts} are allowed`;
