import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * A port of this machine that passes on connections to another one as over a long line, and counts round trips.
 * @param ms that each byte takes longer, in each direction; 0: none
 */
export async function startDelay(host: string, port: number, ms: number) {
  const open = new Set<Socket>();
  let trips = 0;
  const after = (work: () => void) => (ms > 0 ? setTimeout(work, ms) : work());
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host, port, noDelay: true });
    let isAnswered = true;
    near.on('data', () => {
      if (isAnswered) trips += 1;
      isAnswered = false;
    });
    far.on('data', () => {
      isAnswered = true;
    });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.on('data', (bytes) => after(() => to.write(bytes)));
      from.on('end', () => after(() => to.end()));
      from.on('error', () => to.destroy());
      from.on('close', () => open.delete(from));
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as { port: number }).port,
    trips: () => trips,
    close(): void {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
