import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request that arrived. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read events of every type
  readonly event: any;
}

/** Answers a delivery; default: 204. */
type Answer = (received: Received, response: ServerResponse, count: number) => void;

/** A receiver of webhooks on this machine. */
export async function startReceiver(port = 0) {
  const received: Received[] = [];
  let answer: Answer = (_, response) => void response.writeHead(204).end();
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const arrived = { headers: request.headers, text, event: JSON.parse(text) };
    received.push(arrived);
    answer(arrived, response, received.length);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  onTestFinished(close);
  const { port: taken } = server.address() as AddressInfo;
  return {
    port: taken,
    url: `http://127.0.0.1:${taken}/hook`,
    received,
    types: () => received.map(({ event }) => event.type as string),
    /** @param next answers all further deliveries */
    answer(next: Answer) {
      answer = next;
    },
    close,
  };
}
