import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, scryptSync } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import {
  type Config,
  type Keys,
  keyDigest,
  keyName,
  OperatorError,
  requireOneMasterKey,
  requirePrivateFile,
  SealError,
  syncPath,
} from '@wajah/server/commands';
import { z } from 'zod';

/** What an archive is sealed with: the master key of the installation, a passphrase, or the bytes of a file. */
export type ArchiveSecret =
  | { readonly kind: 'master'; readonly keys: Keys; readonly name: string }
  | { readonly kind: 'passphrase'; readonly passphrase: string }
  | { readonly kind: 'file'; readonly bytes: Uint8Array };

const hex = z.string().regex(/^[0-9a-f]{16,64}$/);
const cost = z.int().min(1);

/** How the key of an archive is derived, as its first line says. */
const keyRecipe = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('master'), salt: hex, check: hex }),
  z.object({ kind: z.literal('file'), salt: hex }),
  z.object({ kind: z.literal('passphrase'), salt: hex, scrypt: z.object({ n: cost, r: cost, p: cost }) }),
]);

type KeyRecipe = Readonly<z.infer<typeof keyRecipe>>;

/** The first line of an archive, in the clear. */
const archiveHead = z.object({
  kind: z.literal('backup'),
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
    syncPath(dirname(file));
  } catch (error) {
    rmSync(draft, { force: true });
    throw asRefusal(file, error, 'cannot be written');
  }
  return statSync(file).size;
}

/** The lines of an archive. @throws OperatorError when it is no archive, or damaged, or the secret is wrong */
export async function* readArchive(file: string, secret: ArchiveSecret): AsyncGenerator<string> {
  const { first, head } = readHead(file);
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
      `${file} is a plain database (backup --plain): stop the server and put it in place as wajah.db, see docs/operations/storage.md`,
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

const keyBytes = 32;
const saltBytes = 32;
/** Digits of the digest by which an archive names its master key. */
const checkDigits = 16;
/** 128 MiB and about half a second for each guess (RFC 7914). */
const scryptCost = { n: 2 ** 17, r: 8, p: 1 } as const;
const minimumFileBytes = 32;

/** A new recipe, and the key. @throws OperatorError when the secret is too short */
function newArchiveKey(secret: ArchiveSecret): { recipe: KeyRecipe; key: Uint8Array } {
  const salt = randomBytes(saltBytes).toString('hex');
  const recipe: KeyRecipe =
    secret.kind === 'master'
      ? { kind: 'master', salt, check: keyDigest(secret.keys[0]).slice(0, checkDigits) }
      : secret.kind === 'file'
        ? { kind: 'file', salt }
        : { kind: 'passphrase', salt, scrypt: scryptCost };
  return { recipe, key: archiveKey(recipe, secret) };
}

/** @throws OperatorError when the archive needs another kind of secret, or another master key */
function archiveKey(recipe: KeyRecipe, secret: ArchiveSecret): Uint8Array {
  const salt = Buffer.from(recipe.salt, 'hex');
  if (recipe.kind === 'passphrase' && secret.kind === 'passphrase') {
    const { n: N, r, p } = recipe.scrypt;
    if (
      N > scryptCost.n ||
      r > scryptCost.r ||
      p > scryptCost.p ||
      !Number.isInteger(Math.log2(N)) ||
      N < 2
    ) {
      throw new OperatorError(
        `the archive asks for a cost of its passphrase (n ${N}, r ${r}, p ${p}) that this program does not allow`,
      );
    }
    return scryptSync(secret.passphrase.normalize('NFC'), salt, keyBytes, { N, r, p, maxmem: 256 * 2 ** 20 });
  }
  if (recipe.kind === 'file' && secret.kind === 'file') {
    if (secret.bytes.length < minimumFileBytes) {
      throw new OperatorError(
        `the key file has ${secret.bytes.length} bytes, at least ${minimumFileBytes} are needed (openssl rand 32)`,
      );
    }
    return derive(secret.bytes, salt, 'wajah archive of a key file');
  }
  if (recipe.kind === 'master' && secret.kind === 'master') {
    const key = secret.keys.find((one) => keyDigest(one).startsWith(recipe.check));
    if (key) return derive(key, salt, 'wajah archive');
    throw new OperatorError(
      `the archive is sealed under another master key than ${secret.name}; keep that, and restore with the key of its time: as secret.key of another data directory, or with WAJAH_SECRET_KEY set to it`,
    );
  }
  throw new OperatorError(`the archive is sealed with ${secretNames[recipe.kind]}`);
}

const secretNames = {
  master: 'the master key of its installation: leave --passphrase-file and --key-file out',
  passphrase: 'a passphrase: give --passphrase-file',
  file: 'a key file: give --key-file',
} as const;

function derive(secret: Uint8Array, salt: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, salt, purpose, keyBytes));
}

/** Plain bytes of a chunk. */
const chunkBytes = 64 * 1024;
const tagBytes = 16;
const lengthBytes = 4;

/**
 * A stream in chunks of AES-256-GCM: length (32 bits, big-endian) · ciphertext · tag. The nonce is the number of the
 * chunk: the key is of this archive alone. Associated data are the digest of the first line and whether the chunk is the
 * last, so that chunks cannot be exchanged, left out at the end or taken from another archive (the STREAM construction
 * of Hoang, Reyhanitabar, Rogaway and Vizár, 2015).
 */
async function* sealChunks(
  key: Uint8Array,
  head: Uint8Array,
  plain: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  let index = 0;
  let waiting = Buffer.alloc(0);
  for await (const part of plain) {
    waiting = Buffer.concat([waiting, part]);
    // The last chunk is never known to be the last before the end.
    while (waiting.length > chunkBytes) {
      yield sealChunk(key, head, index++, waiting.subarray(0, chunkBytes), false);
      waiting = waiting.subarray(chunkBytes);
    }
  }
  yield sealChunk(key, head, index, waiting, true);
}

/** @throws SealError when a chunk is damaged, missing or too many, or the key is another one */
async function* openChunks(
  key: Uint8Array,
  head: Uint8Array,
  sealed: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  let index = 0;
  let waiting = Buffer.alloc(0);
  let length: number | null = null;
  for await (const part of sealed) {
    waiting = Buffer.concat([waiting, part]);
    for (;;) {
      if (length === null && waiting.length >= lengthBytes) {
        length = waiting.readUInt32BE(0);
        if (length > chunkBytes) throw new SealError('the archive is damaged: a chunk is too long');
      }
      // One byte more must follow: what is at the end is opened as the last chunk.
      if (length === null || waiting.length <= lengthBytes + length + tagBytes) break;
      yield openChunk(
        key,
        head,
        index++,
        waiting.subarray(lengthBytes, lengthBytes + length + tagBytes),
        false,
      );
      waiting = waiting.subarray(lengthBytes + length + tagBytes);
      length = null;
    }
  }
  if (length === null || waiting.length !== lengthBytes + length + tagBytes) {
    throw new SealError('the archive is incomplete: it ends within a chunk');
  }
  yield openChunk(key, head, index, waiting.subarray(lengthBytes), true);
}

function nonceOf(index: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(index), 4);
  return nonce;
}

const associated = (head: Uint8Array, isLast: boolean) =>
  Buffer.concat([head, Uint8Array.of(isLast ? 1 : 0)]);

function sealChunk(
  key: Uint8Array,
  head: Uint8Array,
  index: number,
  plain: Uint8Array,
  isLast: boolean,
): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonceOf(index), { authTagLength: tagBytes });
  cipher.setAAD(associated(head, isLast));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(plain.length);
  return Buffer.concat([length, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function openChunk(
  key: Uint8Array,
  head: Uint8Array,
  index: number,
  sealed: Uint8Array,
  isLast: boolean,
): Buffer {
  const end = sealed.length - tagBytes;
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(index), { authTagLength: tagBytes });
  decipher.setAAD(associated(head, isLast));
  decipher.setAuthTag(sealed.subarray(end));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()]);
  } catch {
    throw new SealError(
      index === 0
        ? 'the archive does not open: it is damaged, or passphrase or key are others'
        : `the archive is damaged or incomplete at chunk ${index}`,
    );
  }
}

/** The files that the command line names; none: the master key of the installation. */
export interface SecretFiles {
  readonly passphraseFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

const minimumPassphrase = 12;

/** @throws OperatorError when a file cannot be read or is readable by everybody, or nothing is given and there is no master key */
export function archiveSecret(config: Config, { passphraseFile, keyFile }: SecretFiles): ArchiveSecret {
  if (passphraseFile !== undefined) return { kind: 'passphrase', passphrase: readPassphrase(passphraseFile) };
  if (keyFile !== undefined) {
    requirePrivateFile(keyFile);
    return { kind: 'file', bytes: readFileSync(keyFile) };
  }
  const keys = requireOneMasterKey(config);
  if (keys) return { kind: 'master', keys, name: keyName(config) };
  throw new OperatorError(
    'there is no master key here (WAJAH_SECRET_KEY, or secret.key of the data directory): put it in place, or give --passphrase-file or --key-file',
  );
}

function readPassphrase(file: string): string {
  const passphrase = requirePrivateFile(file).split(/\r?\n/)[0]?.trim() ?? '';
  if (passphrase.length >= minimumPassphrase) return passphrase;
  throw new OperatorError(
    `${file}: the first line has ${passphrase.length} characters, a passphrase needs at least ${minimumPassphrase}`,
  );
}
