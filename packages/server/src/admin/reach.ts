import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '../errors.ts';
import { readOwner } from '../store/data-directory.ts';
import type { AdminOperations } from './operations.ts';
import { connectAdmin, type RemoteAdmin } from './socket-client.ts';

/** Admin operations on a store that this process opened. */
interface LocalAdmin {
  readonly operations: AdminOperations;
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
  work: (operations: AdminOperations) => Promise<T>,
): Promise<T> {
  for (const end = Date.now() + timeoutMs; ; await delay(200)) {
    const remote = dataDir === null ? null : await connectToOwner(dataDir);
    if (remote) return work(remote.operations).finally(remote.close);
    const local = dataDir === null ? await open() : await openUnlessOwned(dataDir, open, Date.now() < end);
    if (local) return work(local.operations).finally(() => local.close());
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
