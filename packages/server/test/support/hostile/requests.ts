import { type Endpoint, endpointList } from '@wajah/contract';
import { hostileForm, hostileJson } from './bodies.ts';
import type { Random } from './random.ts';
import { hostileTokens } from './values.ts';

/** What is written to a connection: bytes, or a pause in milliseconds; then how the connection is left. */
export interface HostileRequest {
  readonly parts: readonly (Buffer | number)[];
  /** `wait` for the answer, `end` the sending side, or `reset` at once. */
  readonly then: 'wait' | 'end' | 'reset';
  /** An answer to HEAD has no body. */
  readonly isHead: boolean;
}

export interface Material {
  readonly token: string;
  /** A JPEG. */
  readonly picture: Buffer;
}

/** Without the client or its token, all further calls would have the same answer. */
const ending: readonly string[] = ['deleteClient', 'revokeToken'];
const targets = endpointList.filter(({ id }) => !ending.includes(id));

const paths = (path: string): readonly string[] => [
  ...[`${path}/`, `/${path}`, `${path}%00`, `${path}%2f..%2f..%2fetc/passwd`, `/..${path}`, `${path};a=b`],
  ...[
    `http://evil.example${path}`,
    `${path}#x`,
    `${path}?${'a=b&'.repeat(200)}`,
    `${path}?facegallery_id=a&facegallery_id=b`,
  ],
  ...[
    path.toUpperCase(),
    `${path}?trx_id=%ff%fe`,
    `${path}?__proto__[x]=1`,
    `/${'a'.repeat(9000)}`,
    '*',
    '//',
    '/%c0%ae%c0%ae/',
  ],
  ...[
    '/console/../../package.json',
    '/console/%2e%2e/%2e%2e/secret.key',
    '/.well-known/../wajah.db',
    '/%',
    '/ ',
    '',
  ],
];

const versions = ['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.2', 'HTTP/1.10', 'http/1.1', 'HTTP/1,1', ''];
const methods = ['PUT', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'CONNECT', 'PROPFIND', 'get', 'FOO', 'G\0T'];
const hosts = [
  '',
  'a b',
  'a:99999',
  '[::1',
  '[::1]:80',
  '../x',
  'a\tb',
  'a,b',
  '%00',
  'localhost@evil',
  'x'.repeat(400),
];

const headers: readonly string[] = [
  ...[
    'Host: a\r\nHost: b',
    'Content-Encoding: gzip',
    'Content-Type: ;;;',
    'Content-Type: text/html',
    'Expect: cake',
  ],
  ...[
    'Transfer-Encoding: gzip, chunked',
    'Transfer-Encoding: identity',
    'Transfer-Encoding: xchunked',
    'TE: trailers',
  ],
  ...[
    'Content-Length: 5\r\nContent-Length: 6',
    'Content-Length: -1',
    'Content-Length: 1e3',
    'Content-Length: 99999999999',
  ],
  ...[
    'X-Forwarded-For: 1.2.3.4, ::1, x',
    'X-Forwarded-For: ',
    'X-HTTP-Method-Override: DELETE',
    'Range: bytes=0-1,5-',
  ],
  ...[
    'Upgrade: websocket\r\nConnection: Upgrade',
    'Connection: keep-alive, close, x',
    'X: a\r\n b',
    'X\x01: y',
    ': x',
    'no colon',
  ],
  ...[
    'Cookie: a=b; __proto__=c',
    'Origin: null',
    'Accept: */*;q=9',
    'If-None-Match: *',
    'Authorization: Basic !!!!',
  ],
  ...[Array.from({ length: 120 }, (_, i) => `X-${i}: ${i}`).join('\r\n'), `X: ${'a'.repeat(20_000)}`],
];

/** A request of any kind: half of them well-formed HTTP, with bodies that are not what the endpoint wants. */
export function hostileRequest(random: Random, { token, picture }: Material): HostileRequest {
  const target = random.pick(targets);
  const [line, method] = requestLine(random, target);
  const [type, body] = bodyOf(random, target, picture);
  const head = [line];
  head.push(`Host: ${random.oneIn(20) ? random.pick(hosts) : 'h'}`);
  if (!random.oneIn(8))
    head.push(`Accesstoken: ${random.oneIn(4) ? random.pick(hostileTokens(token)) : token}`);
  if (type !== null) head.push(`Content-Type: ${type}`);
  if (random.oneIn(5)) head.push(random.pick(headers));
  const then = random.oneIn(12) ? random.pick(['end', 'reset'] as const) : 'wait';
  const parts = framed(random, head, body);
  return { parts: random.oneIn(25) ? slowly(random, parts) : parts, then, isHead: method === 'HEAD' };
}

function requestLine(random: Random, { path, methods: own }: Endpoint): [line: string, method: string] {
  const method = random.oneIn(12) ? random.pick(methods) : random.pick(own);
  const url = random.oneIn(8) ? random.pick(paths(path)) : path;
  const version = random.oneIn(25) ? random.pick(versions) : 'HTTP/1.1';
  return [`${method} ${url} ${version}`, method];
}

function bodyOf(random: Random, target: Endpoint, picture: Buffer): [type: string | null, body: Buffer] {
  switch (random.whole(10)) {
    case 0:
      return ['multipart/form-data; boundary=b', hostileForm(random, 'b')];
    case 1:
      return ['application/x-www-form-urlencoded', Buffer.from('a=%ff&a=b&grant_type=password&&=&%')];
    case 2:
      return [null, Buffer.alloc(0)];
    default:
      return ['application/json', hostileJson(random, target, picture)];
  }
}

/** Head and body; the length is seldom a wrong one, and some bodies come in chunks, which may be broken. */
function framed(random: Random, head: readonly string[], body: Buffer): Buffer[] {
  const withHead = (...more: string[]) => Buffer.from(`${[...head, ...more].join('\r\n')}\r\n\r\n`, 'latin1');
  if (random.oneIn(8)) {
    const size = random.oneIn(3)
      ? random.pick(['zz', '-1', 'fffffffffffffffff', ''])
      : body.length.toString(16);
    const end = random.pick(['\r\n0\r\n\r\n', '\r\n0\r\nX: y\r\n\r\n', '\r\n', '', '\r\n0;a=b\r\n\r\n']);
    const chunk = Buffer.concat([Buffer.from(`${size}\r\n`), body, Buffer.from(end)]);
    return [withHead('Connection: close', 'Transfer-Encoding: chunked'), chunk];
  }
  const off = random.oneIn(10) ? random.whole(50) - 25 : 0;
  const length = Math.max(0, body.length + off);
  const lengthHeader = body.length === 0 && random.oneIn(2) ? [] : [`Content-Length: ${length}`];
  return [withHead('Connection: close', ...lengthHeader), body];
}

/** In three pieces, with pauses. */
function slowly(random: Random, parts: readonly Buffer[]): (Buffer | number)[] {
  const all = Buffer.concat(parts);
  const cuts = [random.whole(all.length + 1), random.whole(all.length + 1)].sort((a, b) => a - b);
  const [first = 0, second = 0] = cuts;
  return [all.subarray(0, first), 20, all.subarray(first, second), 20, all.subarray(second)];
}
