import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Bytes of a Unix socket's path, without the final zero: 107 on Linux, 103 on macOS. */
const longest = 103;

/** Where an admin socket goes, and what removes the place again. */
export interface SocketPlace {
  readonly path: string;
  release(): void;
}

/**
 * Where the admin socket of a data directory goes: inside it, or, when its path is too long for a socket, in
 * a fresh directory of the system's temporary directory that only this user can enter.
 */
export function placeSocket(dataDir: string): SocketPlace {
  const inside = join(dataDir, 'admin.sock');
  if (Buffer.byteLength(inside) <= longest) return { path: inside, release: () => {} };
  const path = join(mkdtempSync(join(tmpdir(), 'wajah-')), 'admin.sock');
  return { path, release: () => rmSync(dirname(path), { recursive: true, force: true }) };
}
