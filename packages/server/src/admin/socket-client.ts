import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { OperatorError } from '../errors.ts';
import { type AdminOperation, adminInputs } from './inputs.ts';
import type { AdminOperations } from './operations.ts';

/** The admin operations of a running server, over its admin socket. */
export interface RemoteAdmin {
  readonly operations: AdminOperations;
  close(): void;
}

/**
 * Connects to the admin socket of the process that owns the data directory.
 * @throws Error with the code of the system (ENOENT, ECONNREFUSED, EACCES) when no process answers
 */
export async function connectAdmin(path: string): Promise<RemoteAdmin> {
  const socket = await dial(path);
  const replies = createInterface({ input: socket })[Symbol.asyncIterator]();
  const call = async (operation: AdminOperation, input: unknown): Promise<unknown> => {
    socket.write(`${JSON.stringify({ operation, input })}\n`);
    const next = await replies.next().catch(() => ({ done: true as const, value: '' }));
    if (next.done) throw new OperatorError('The running server closed the connection before it answered.');
    const reply = JSON.parse(next.value) as { ok: unknown } | { error: string };
    if ('error' in reply) throw new OperatorError(reply.error);
    return reply.ok;
  };
  const names = Object.keys(adminInputs) as AdminOperation[];
  const operations = Object.fromEntries(names.map((name) => [name, (input: unknown) => call(name, input)]));
  return { operations: operations as unknown as AdminOperations, close: () => socket.destroy() };
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
