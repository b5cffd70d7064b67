import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { serveHttp } from './http-server.ts';

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
  const { url, close } = await serveHttp(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const arrived = { headers: request.headers, text, event: JSON.parse(text) };
    received.push(arrived);
    answer(arrived, response, received.length);
  }, port);
  return {
    port: Number(new URL(url).port),
    url: `${url}/hook`,
    received,
    types: () => received.map(({ event }) => event.type as string),
    /** @param next answers all further deliveries */
    answer(next: Answer) {
      answer = next;
    },
    close,
  };
}
