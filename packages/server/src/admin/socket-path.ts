import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Bytes of a Unix socket's path, without the final zero: 107 on Linux, 103 on macOS. */
const longest = 103;
/** Names the socket when it lies elsewhere. */
const pointer = 'admin.sock.path';

/**
 * Where the admin socket of a data directory goes: inside it, or, when its path is too long for a socket, in
 * a fresh directory of the system's temporary directory that only this user can enter.
 */
export async function placeSocket(dataDir: string): Promise<{ path: string; release(): Promise<void> }> {
  const inside = join(dataDir, 'admin.sock');
  if (Buffer.byteLength(inside) <= longest) return { path: inside, release: async () => {} };
  const path = join(await mkdtemp(join(tmpdir(), 'wajah-')), 'admin.sock');
  await writeFile(join(dataDir, pointer), path, { mode: 0o600 });
  return {
    path,
    release: async () => {
      await rm(join(dataDir, pointer), { force: true });
      await rm(dirname(path), { recursive: true, force: true });
    },
  };
}

/** Where the admin socket of a data directory lies, if a server runs there. */
export async function findSocket(dataDir: string): Promise<string> {
  try {
    return (await readFile(join(dataDir, pointer), 'utf8')).trim();
  } catch {
    return join(dataDir, 'admin.sock');
  }
}
