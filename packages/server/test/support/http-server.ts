import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from './temporary.ts';

/**
 * Serves HTTP on this machine until the test, or the file, ends.
 * @param port default: a free one
 */
export async function serveHttp(handler: RequestListener, port = 0) {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  atEnd(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
