import { createHash } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import { OperatorError } from '../../errors.ts';
import { syncDirectory } from '../keys/private-file.ts';
import { SealError } from '../vaults/sealing.ts';
import { openChunks, sealChunks } from './archive-chunks.ts';
import { type ArchiveSecret, archiveKey, keyRecipe, newArchiveKey } from './archive-key.ts';

/** The first line of an archive, in the clear. */
const archiveHead = z.object({
  kind: z.enum(['backup', 'people']),
  /** ISO 8601. */
  createdAt: z.string(),
  /** Version of the program. */
  program: z.string(),
  key: keyRecipe,
});

type ArchiveHead = Readonly<z.infer<typeof archiveHead>>;

const magic = 'wajah-archive 1 ';
const maxHeadBytes = 4096;
/** Characters of a line at most: 500 rows of crops are about a tenth. */
const maxLine = 2 ** 28;

/**
 * Writes an archive of mode 0600: the first line says what it is, then lines of text, compressed (gzip) and sealed in
 * chunks. The file gets its name when it is complete, on disk, and `verify` has read it.
 * @param verify reads the draft, and throws when it is not what was written
 * @returns bytes
 * @throws OperatorError when the file exists or cannot be written
 */
export async function writeArchive(
  file: string,
  head: Omit<ArchiveHead, 'key'>,
  secret: ArchiveSecret,
  lines: AsyncIterable<string>,
  verify: (draft: string) => Promise<void>,
): Promise<number> {
  if (existsSync(file)) throw new OperatorError(`${file} exists already; name a new file`);
  const { recipe, key } = newArchiveKey(secret);
  const first = `${magic}${JSON.stringify({ ...head, key: recipe })}\n`;
  const draft = `${file}.part`;
  try {
    rmSync(draft, { force: true });
    removeOldDrafts(dirname(file));
    const out = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true });
    const sealed = (source: AsyncIterable<Buffer>) => joined(first, sealChunks(key, digestOf(first), source));
    await pipeline(Readable.from(lines), createGzip({ level: 1 }), sealed, out);
    await verify(draft);
    renameSync(draft, file);
    syncDirectory(dirname(file));
  } catch (error) {
    rmSync(draft, { force: true });
    throw asRefusal(file, error, 'cannot be written');
  }
  return statSync(file).size;
}

/** The lines of an archive. @throws OperatorError when it is no archive of this kind, or damaged, or the secret is wrong */
export async function* readArchive(
  file: string,
  kind: ArchiveHead['kind'],
  secret: ArchiveSecret,
): AsyncGenerator<string> {
  const { first, head } = readHead(file);
  if (head.kind !== kind) {
    const others = {
      backup: 'it is a backup: use restore',
      people: 'it is an export of people: use import people',
    };
    throw new OperatorError(`${file}: ${others[head.kind]}`);
  }
  const key = archiveKey(head.key, secret);
  try {
    const sealed = createReadStream(file, { start: Buffer.byteLength(first) });
    const plain = createGunzip();
    const opened = pipeline(Readable.from(openChunks(key, digestOf(first), sealed)), plain);
    // It also ends the stream of which the lines are read.
    opened.catch(() => undefined);
    yield* linesOf(plain);
    await opened;
  } catch (error) {
    throw asRefusal(file, error, 'cannot be read');
  }
}

/** @throws OperatorError when the file is no archive */
function readHead(file: string): { first: string; head: ArchiveHead } {
  const buffer = readStart(file);
  const end = buffer.indexOf('\n');
  const first = buffer.subarray(0, end + 1).toString('utf8');
  if (buffer.subarray(0, 15).toString('latin1') === 'SQLite format 3') {
    throw new OperatorError(
      `${file} is a plain database (backup --plain): stop the server and put it in place as wajah.db, see docs/operations/backup.md`,
    );
  }
  if (end < 0 || !first.startsWith(magic)) throw new OperatorError(`${file} is no archive of this program`);
  return { first, head: parseHead(file, first.slice(magic.length)) };
}

function parseHead(file: string, text: string): ArchiveHead {
  try {
    return archiveHead.parse(JSON.parse(text));
  } catch (error) {
    throw new OperatorError(`${file}: the first line of the archive is damaged`, { cause: error });
  }
}

/** @throws OperatorError when it is no file: a pipe cannot be read twice */
function readStart(file: string): Buffer {
  try {
    if (!statSync(file).isFile()) throw new OperatorError(`${file} is no file`);
    const buffer = Buffer.alloc(maxHeadBytes);
    const fd = openSync(file, 'r');
    try {
      return buffer.subarray(0, readSync(fd, buffer, 0, maxHeadBytes, 0));
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw asRefusal(file, error, 'cannot be read');
  }
}

/** Drafts of archives that nobody has written to for a day: what killed commands left. */
function removeOldDrafts(folder: string): void {
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.part'))) {
    const draft = join(folder, name);
    const { mtimeMs } = statSync(draft, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs < 86_400_000) continue;
    if (readStart(draft).toString('latin1').startsWith(magic)) rmSync(draft, { force: true });
  }
}

async function* linesOf(plain: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let begun: string[] = [];
  let length = 0;
  for await (const part of plain) {
    const pieces = decoder.decode(part, { stream: true }).split('\n');
    for (const [index, piece] of pieces.entries()) {
      begun.push(piece);
      length += piece.length;
      if (length > maxLine) throw new SealError('the archive is damaged: a line is too long');
      if (index === pieces.length - 1) break;
      yield begun.join('');
      begun = [];
      length = 0;
    }
  }
  if (length > 0) yield begun.join('');
}

const digestOf = (first: string) => createHash('sha256').update(first).digest();

async function* joined(first: string, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield Buffer.from(first);
  yield* rest;
}

function asRefusal(file: string, error: unknown, what: string): unknown {
  if (error instanceof OperatorError) return error;
  if (error instanceof SealError) return new OperatorError(`${file}: ${error.message}`, { cause: error });
  const { code, message } = error as NodeJS.ErrnoException;
  const known = typeof code === 'string' && /^(E[A-Z]+|Z_[A-Z_]+)$/.test(code);
  return known ? new OperatorError(`${file} ${what} (${code ?? message})`, { cause: error }) : error;
}
