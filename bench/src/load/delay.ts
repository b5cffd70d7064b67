import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * A port of this machine that passes on connections to another one as over a long line.
 * @param ms that each byte takes longer, in each direction
 */
export async function startDelay(host: string, port: number, ms: number) {
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host, port, noDelay: true });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.on('data', (bytes) => setTimeout(() => to.write(bytes), ms));
      from.on('end', () => setTimeout(() => to.end(), ms));
      from.on('error', () => to.destroy());
      from.on('close', () => open.delete(from));
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as { port: number }).port,
    close(): void {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
