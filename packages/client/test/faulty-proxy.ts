import type { IncomingMessage, ServerResponse } from 'node:http';
import { serveHttp } from '../../server/test/support/http-server.ts';

/** What the proxy does with one call. */
export type Fault =
  | {
      readonly answer: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: object | string;
    }
  /** Forwards the call, and closes the connection instead of answering. */
  | 'lose the answer'
  | 'never answer'
  | 'pass';

export interface FaultyProxy {
  readonly url: string;
  /** `METHOD /path` of each received call, in order. */
  readonly calls: readonly string[];
  /** Plans one fault for each of the next calls to a path; later calls pass. */
  plan(path: string, ...faults: Fault[]): void;
  reset(): void;
}

/** A proxy of a real server, until the test or file ends, that simulates network failures. */
export async function openFaultyProxy(target: string): Promise<FaultyProxy> {
  const calls: string[] = [];
  const plans = new Map<string, Fault[]>();
  const { url } = await serveHttp(async (request, response) => {
    const body = await bodyOf(request);
    const { pathname } = new URL(request.url ?? '/', target);
    calls.push(`${request.method} ${pathname}`);
    const fault = plans.get(pathname)?.shift() ?? 'pass';
    if (fault === 'never answer') return;
    if (typeof fault === 'object') {
      refuse(response, fault);
      return;
    }
    const answer = await fetch(target + request.url, {
      method: request.method ?? 'GET',
      headers: passed(request),
      ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
    });
    const text = await answer.text();
    if (fault === 'lose the answer') request.socket.destroy();
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  return {
    url,
    calls,
    plan: (path, ...faults) => void plans.set(path, faults),
    reset() {
      calls.length = 0;
      plans.clear();
    },
  };
}

function refuse(response: ServerResponse, { answer, headers = {}, body = '' }: Exclude<Fault, string>): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(answer, headers).end(text);
}

function passed({ headers }: IncomingMessage): Record<string, string> {
  const names = ['accesstoken', 'content-type'];
  return Object.fromEntries(names.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])));
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
