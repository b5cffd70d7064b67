import { mkdtempSync, rmSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { OperatorError } from '../errors.ts';
import { type AdminOperation, adminInputs } from './inputs.ts';
import type { AdminOperations } from './operations.ts';

/** Longest path of a Unix socket in bytes, without the final zero: 107 on Linux, 103 on macOS. */
const maxPathBytes = 103;

/**
 * The path of the admin socket of a data directory: inside it, or, where that path is too long for a socket, in a new
 * temporary directory that only this user can enter.
 * @returns `release` removes the temporary directory
 */
export function placeSocket(dataDir: string): { readonly path: string; release(): void } {
  const inside = join(dataDir, 'admin.sock');
  if (Buffer.byteLength(inside) <= maxPathBytes) return { path: inside, release: () => {} };
  const path = join(mkdtempSync(join(tmpdir(), 'wajah-')), 'admin.sock');
  return { path, release: () => rmSync(dirname(path), { recursive: true, force: true }) };
}

/**
 * Serves the admin operations on a Unix socket that only the user who runs the server can open. The protocol is one
 * JSON line each way: `{"operation", "input"}` → `{"ok"}` or `{"error"}`.
 * @param path from `placeSocket`
 * @param onDefect receives errors other than OperatorError
 */
export async function openAdminSocket(
  path: string,
  operations: AdminOperations,
  onDefect: (error: unknown) => void,
): Promise<{ readonly path: string; close(): Promise<void> }> {
  await rm(path, { force: true });
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    void serveLines(socket, operations, onDefect).catch(() => socket.destroy());
  });
  const mask = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
  } finally {
    process.umask(mask);
  }
  await chmod(path, 0o600);
  return {
    path,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
      await rm(path, { force: true });
    },
  };
}

/** Performs one call at a time: replies are in the order of the calls. */
async function serveLines(
  socket: Socket,
  operations: AdminOperations,
  onDefect: (error: unknown) => void,
): Promise<void> {
  for await (const line of createInterface({ input: socket })) {
    const reply = await answer(line, operations, onDefect);
    if (socket.writable) socket.write(`${JSON.stringify(reply)}\n`);
  }
}

async function answer(
  line: string,
  operations: AdminOperations,
  onDefect: (error: unknown) => void,
): Promise<{ ok: unknown } | { error: string }> {
  try {
    const { operation, input } = JSON.parse(line) as { operation: AdminOperation; input: unknown };
    if (!Object.hasOwn(adminInputs, operation)) {
      return {
        error: `The running server does not know the operation "${operation}": is it another version?`,
      };
    }
    const parsed = adminInputs[operation].safeParse(input);
    if (!parsed.success) return { error: `${operation}: ${parsed.error.issues[0]?.message ?? 'malformed'}` };
    const perform = operations[operation] as (input: unknown) => Promise<unknown>;
    return { ok: await perform(parsed.data) };
  } catch (error) {
    if (error instanceof OperatorError) return { error: error.message };
    onDefect(error);
    return { error: 'The operation failed on the running server; see its log.' };
  }
}
