import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '../errors.ts';
import { readOwner } from '../store/data-directory.ts';
import type { AdminOperations } from './operations.ts';
import { connectAdmin, type RemoteAdmin } from './socket-client.ts';

/** Operations on a store that this process opened itself. */
export interface LocalAdmin {
  readonly operations: AdminOperations;
  close(): Promise<void>;
}

/** How long a server that starts or stops gets before a command gives up, milliseconds. */
const patience = 10_000;

/**
 * Does an operator's work where the data directory is owned: in the process that owns it, else here.
 * @param openHere opens the store in this process; an OperatorError when another process owns the directory
 * @throws OperatorError when the work cannot be done, or the owner cannot be reached
 */
export async function administer<T>(
  dataDir: string,
  openHere: () => Promise<LocalAdmin>,
  work: (operations: AdminOperations) => Promise<T>,
): Promise<T> {
  for (const end = Date.now() + patience; ; await delay(200)) {
    const remote = await reachOwner(dataDir);
    if (remote) {
      try {
        return await work(remote.operations);
      } finally {
        remote.close();
      }
    }
    const local = await openUnlessOwned(dataDir, openHere, Date.now() < end);
    if (local) return locally(async () => local, work);
  }
}

/** Does an operator's work on a store that this process opens. */
export async function locally<T>(
  openHere: () => Promise<LocalAdmin>,
  work: (operations: AdminOperations) => Promise<T>,
): Promise<T> {
  const local = await openHere();
  try {
    return await work(local.operations);
  } finally {
    await local.close();
  }
}

/** @returns null when somebody else has the directory and there is still time to wait for them */
async function openUnlessOwned(
  dataDir: string,
  openHere: () => Promise<LocalAdmin>,
  mayWait: boolean,
): Promise<LocalAdmin | null> {
  if (mayWait && readOwner(dataDir)) return null;
  try {
    return await openHere();
  } catch (error) {
    if (mayWait && readOwner(dataDir)) return null;
    throw error;
  }
}

async function reachOwner(dataDir: string): Promise<RemoteAdmin | null> {
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
