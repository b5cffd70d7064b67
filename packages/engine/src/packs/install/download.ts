import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Response } from 'undici';
import { EngineError } from '../../errors.ts';
import { fileDigest } from '../files.ts';

/** A file at a URL, pinned by its digest. */
export interface RemoteFile {
  /** Name in errors. */
  readonly name: string;
  readonly url: string;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
}

/** Number of consecutive failures without progress after which a download fails. */
const MAX_FAILURES = 3;
/** Milliseconds without a byte after which a connection is closed. */
const IDLE_TIMEOUT_MS = 30_000;

/**
 * Downloads a file to a temporary name, verifies its SHA-256 and renames it. Resumes a partial download, also of an earlier
 * process. Goes through the proxy that the variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY name.
 * @param progress called with the bytes present, at the start and as they arrive
 * @param stop ends the download; its reason is an Error that says why
 * @throws EngineError `pack` when the server refuses, fails too often, or sends another content, or the download is stopped
 */
export async function download(
  file: RemoteFile,
  path: string,
  progress: (bytes: number) => void = () => undefined,
  stop?: AbortSignal,
): Promise<void> {
  const part = `${path}.part`;
  await mkdir(dirname(path), { recursive: true });
  await fetchWhole(file, part, progress, stop);
  const found = await fileDigest(part);
  if (found !== file.sha256) {
    await rm(part, { force: true });
    throw new EngineError(
      'pack',
      `${file.name}: what ${hostOf(file)} sent has the SHA-256 ${found}, not ${file.sha256}; it was thrown away.`,
    );
  }
  await rename(part, path);
}

async function fetchWhole(
  file: RemoteFile,
  part: string,
  progress: (bytes: number) => void,
  stop: AbortSignal | undefined,
): Promise<void> {
  let failures = 0;
  let most = 0;
  for (;;) {
    const before = await sizeOf(part);
    progress(before);
    if (before === file.bytes) return;
    const problem = await fetchRest(file, part, before, progress, stop);
    if (problem === null) return;
    const there = await sizeOf(part);
    failures = there > Math.max(before, most) ? 0 : failures + 1;
    most = Math.max(before, most, there);
    if (failures < MAX_FAILURES && !stop?.aborted) continue;
    throw new EngineError(
      'pack',
      `${file.name}: ${there} of ${file.bytes} bytes came from ${hostOf(file)}, then: ${problem}. Try again: the download resumes there.`,
    );
  }
}

/** @returns the reason of a failure that a retry may overcome; null when the file is complete */
async function fetchRest(
  file: RemoteFile,
  part: string,
  from: number,
  progress: (bytes: number) => void,
  stop: AbortSignal | undefined,
): Promise<string | null> {
  const idle = new AbortController();
  const alarm = setTimeout(() => idle.abort(), IDLE_TIMEOUT_MS);
  // Loaded here: a server downloads hardly ever. The `fetch` of Node itself knows no proxy before Node 24.
  const { EnvHttpProxyAgent, fetch } = await import('undici');
  const dispatcher = new EnvHttpProxyAgent();
  try {
    const headers = from > 0 ? { range: `bytes=${from}-` } : {};
    const response = await fetch(file.url, {
      headers,
      dispatcher,
      signal: AbortSignal.any([idle.signal, ...(stop ? [stop] : [])]),
    });
    const start = startOf(response, from);
    if (start === null) {
      await response.body?.cancel();
      return await refusal(file, response, part);
    }
    const handle = await open(part, start === 0 ? 'w' : 'a');
    try {
      return await append(file, handle, response, start, (bytes) => {
        alarm.refresh();
        progress(bytes);
      });
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const { syscall, code } = error as NodeJS.ErrnoException;
    if (syscall !== undefined) {
      throw new EngineError('pack', `${file.name} cannot be written (${code}).`, { cause: error });
    }
    if (stop?.aborted) return (stop.reason as Error).message;
    return idle.signal.aborted ? `no byte came for ${IDLE_TIMEOUT_MS / 1000} seconds` : reasonOf(error);
  } finally {
    clearTimeout(alarm);
    await dispatcher.destroy();
  }
}

/** Offset of the body in the file; null for any other answer. */
function startOf(response: Response, wanted: number): number | null {
  if (response.status === 200) return 0;
  const range = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '');
  return response.status === 206 && Number(range?.[1]) === wanted ? wanted : null;
}

/** Deletes a part that the server cannot resume; rate limits and server errors are retried, other statuses are final. */
async function refusal(file: RemoteFile, { status }: Response, part: string): Promise<string> {
  if (status === 416 || status === 206) await rm(part, { force: true });
  else if (status < 500 && status !== 429 && status !== 408) {
    throw new EngineError('pack', `${file.name}: ${hostOf(file)} answered ${status} for ${file.url}.`);
  }
  return `it answered ${status}`;
}

async function append(
  file: RemoteFile,
  handle: FileHandle,
  { body }: Response,
  start: number,
  progress: (bytes: number) => void,
): Promise<string | null> {
  let there = start;
  for await (const chunk of body ?? []) {
    there += chunk.length;
    if (there > file.bytes) {
      await handle.truncate(0);
      throw new EngineError('pack', `${file.name}: ${hostOf(file)} sends more than ${file.bytes} bytes.`);
    }
    await handle.writeFile(chunk);
    progress(there);
  }
  await handle.sync();
  return there === file.bytes ? null : 'the answer ended early';
}

const hostOf = ({ url }: RemoteFile): string => new URL(url).host;

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.size ?? 0;
}

/** What OpenSSL says of a certificate whose authority is not known here. */
const UNKNOWN_AUTHORITY = [
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

/** `fetch` reports the reason as the cause of its error, or as that of its cause. */
function reasonOf(error: unknown): string {
  const { cause, code, message } = error as { cause?: unknown; code?: unknown; message: string };
  if (cause instanceof Error) return reasonOf(cause);
  // Its own codes say less than its messages, such as that of a proxy which refuses.
  if (typeof code !== 'string' || code.startsWith('UND_')) return message;
  if (!UNKNOWN_AUTHORITY.includes(code)) return code;
  return `${code}; NODE_EXTRA_CA_CERTS names the file of your network's certificate authority`;
}
