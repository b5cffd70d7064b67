import type { IncomingMessage, ServerResponse } from 'node:http';
import { serveHttp } from '../../../server/test/support/http-server.ts';

/** A server of one file on this machine; it ends with the test. */
export interface FileServer {
  readonly url: string;
  /** The `Range` of each request so far; null without one. */
  readonly ranges: (string | null)[];
}

/** Answers one request; `from` is where its range starts. */
export type Answer = (response: ServerResponse, from: number, request: IncomingMessage) => void;

/** Serves requests one after the other with these answers; the last one is repeated. */
export async function serveFile(...answers: [Answer, ...Answer[]]): Promise<FileServer> {
  const ranges: (string | null)[] = [];
  const { url } = await serveHttp((request, response) => {
    const range = request.headers.range ?? null;
    const answer = answers[Math.min(ranges.length, answers.length - 1)]!;
    ranges.push(range);
    answer(response, Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0), request);
  });
  return { url: `${url}/model.onnx`, ranges };
}

/** The requested range of the file, as from a server that supports ranges. */
export function whole(bytes: Uint8Array): Answer {
  return (response, from) => {
    if (from >= bytes.length) return void response.writeHead(416).end();
    const headers = { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
    response.writeHead(from > 0 ? 206 : 200, from > 0 ? headers : {}).end(bytes.subarray(from));
  };
}

/** Announces the rest of the file, sends a part of it and closes the connection. */
export function cutAfter(bytes: Uint8Array, sent: number): Answer {
  return (response, from) => {
    const rest = bytes.subarray(from);
    const range = { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': rest.length, ...(from > 0 ? range : {}) });
    response.write(rest.subarray(0, sent), () => setTimeout(() => response.destroy(), 200));
  };
}
