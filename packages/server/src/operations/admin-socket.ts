import { mkdtempSync, rmSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '../errors.ts';
import { readOwner } from '../store/data-directory.ts';

/** Operations by name. */
type Operations = Readonly<Record<string, (input: never) => Promise<unknown>>>;

/** Calls one by its name, in this process or over the socket. */
type Call = (operation: string, input: unknown) => Promise<unknown>;

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
  operations: Operations,
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
  operations: Operations,
  onDefect: (error: unknown) => void,
): Promise<void> {
  for await (const line of createInterface({ input: socket })) {
    const reply = await answer(line, operations, onDefect);
    if (socket.writable) socket.write(`${JSON.stringify(reply)}\n`);
  }
}

async function answer(
  line: string,
  operations: Operations,
  onDefect: (error: unknown) => void,
): Promise<{ ok: unknown } | { error: string }> {
  try {
    const { operation, input } = JSON.parse(line) as { operation: string; input: never };
    const perform = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
    if (perform) return { ok: await perform(input) };
    return { error: `The running server does not know the operation "${operation}": is it another version?` };
  } catch (error) {
    if (error instanceof OperatorError) return { error: error.message };
    onDefect(error);
    return { error: 'The operation failed on the running server; see its log.' };
  }
}

/** The admin operations of a running server, over its admin socket. */
export interface RemoteAdmin {
  readonly call: Call;
  close(): void;
}

/**
 * Connects to the admin socket of the process that owns the data directory.
 * @throws Error with the code of the system (ENOENT, ECONNREFUSED, EACCES) when no process answers
 */
export async function connectAdmin(path: string): Promise<RemoteAdmin> {
  const socket = await dial(path);
  const replies = createInterface({ input: socket })[Symbol.asyncIterator]();
  const call: Call = async (operation, input) => {
    socket.write(`${JSON.stringify({ operation, input })}\n`);
    const next = await replies.next().catch(() => ({ done: true as const, value: '' }));
    if (next.done) throw new OperatorError('The running server closed the connection before it answered.');
    const reply = JSON.parse(next.value) as { ok: unknown } | { error: string };
    if ('error' in reply) throw new OperatorError(reply.error);
    return reply.ok;
  };
  return { call, close: () => socket.destroy() };
}

function dial(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      socket.on('error', () => socket.destroy());
      resolve(socket);
    });
  });
}

/** Admin operations on a store that this process opened. */
interface LocalAdmin {
  readonly operations: Operations;
  close(): Promise<void>;
}

/** How long a command waits for a server that starts or stops. */
const timeoutMs = 10_000;

/**
 * Runs admin operations in the process that owns the data directory, or in this one if none does.
 * @param dataDir null: the store is a shared database, which no process owns
 * @param open opens the store in this process; an OperatorError when another process owns the directory
 * @throws OperatorError when the work cannot be done, or the owner cannot be reached
 */
export async function administer<T>(
  dataDir: string | null,
  open: () => Promise<LocalAdmin>,
  work: (call: Call) => Promise<T>,
): Promise<T> {
  for (const end = Date.now() + timeoutMs; ; await delay(200)) {
    const remote = dataDir === null ? null : await connectToOwner(dataDir);
    if (remote) return work(remote.call).finally(remote.close);
    const local = dataDir === null ? await open() : await openUnlessOwned(dataDir, open, Date.now() < end);
    if (!local) continue;
    const call: Call = async (operation, input) => local.operations[operation]!(input as never);
    return work(call).finally(() => local.close());
  }
}

/** @returns null when another process owns the directory and there is time left to wait for it */
async function openUnlessOwned(
  dataDir: string,
  open: () => Promise<LocalAdmin>,
  mayWait: boolean,
): Promise<LocalAdmin | null> {
  if (mayWait && readOwner(dataDir)) return null;
  try {
    return await open();
  } catch (error) {
    if (mayWait && readOwner(dataDir)) return null;
    throw error;
  }
}

async function connectToOwner(dataDir: string): Promise<RemoteAdmin | null> {
  const socket = readOwner(dataDir)?.adminSocket;
  if (socket === undefined) return null;
  try {
    return await connectAdmin(socket);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return null;
    throw new OperatorError(
      `The running server cannot be reached at ${socket} (${code ?? 'unknown'}); run this command as the user who runs the server`,
    );
  }
}
