import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Negotiator } from '@fastify/accept-negotiator';
import { hostedPath } from '@wajah/contract';
import { phrase } from '@wajah/contract/refusals';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { Refusal } from '../../errors.ts';

/** Media types by the end of a file's name; files with other ends are not served. */
const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/vnd.microsoft.icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  // Programs of the documents, to be read.
  ...Object.fromEntries(
    ['.dart', '.go', '.kt', '.php', '.py', '.sh'].map((end) => [end, 'text/plain; charset=utf-8']),
  ),
};

const compressed = /^(text\/|application\/|image\/svg)/;

/** Content codings in the order of preference (RFC 9110, section 8.4.1). */
const codings = ['br', 'gzip', 'identity'] as const;
type Coding = (typeof codings)[number];

/** Brotli quality: a page of 200 kB takes 10 ms. */
const quality = 5;

/**
 * Content that is the same for every caller. It is held once in each coding, and answers share the bytes.
 */
export class StaticContent {
  readonly #type: string;
  readonly #etag: string;
  readonly #bodies: ReadonlyMap<string, Buffer>;

  private constructor(type: string, bodies: ReadonlyMap<Coding, Buffer>) {
    this.#type = type;
    this.#bodies = bodies;
    this.#etag = createHash('sha256').update(bodies.get('identity')!).digest('base64url');
  }

  static async of(bytes: Buffer, type: string): Promise<StaticContent> {
    const bodies = new Map<Coding, Buffer>([['identity', bytes]]);
    if (compressed.test(type)) {
      const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
      bodies.set('br', await promisify(brotliCompress)(bytes, { params }));
      bodies.set('gzip', await promisify(gzip)(bytes));
    }
    return new StaticContent(type, bodies);
  }

  get text(): string {
    return this.#bodies.get('identity')!.toString();
  }

  /** Answers 200, or 304 to a caller that has it (RFC 9110, section 13.1.2). */
  send(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const coding = this.#bodies.size > 1 ? codingFor(request) : 'identity';
    // Each coding is another representation.
    const etag = `"${this.#etag}${coding === 'identity' ? '' : `-${coding}`}"`;
    reply.header('etag', etag).type(this.#type);
    if (this.#bodies.size > 1) reply.header('vary', 'Accept-Encoding');
    if (isCurrent(request.headers['if-none-match'], etag)) return reply.code(304).send();
    if (coding !== 'identity') reply.header('content-encoding', coding);
    return reply.send(this.#bodies.get(coding));
  }
}

const negotiator = new Negotiator({ supportedValues: [...codings] });

function codingFor({ headers }: FastifyRequest): string {
  const accepted = headers['accept-encoding'];
  return (accepted && negotiator.negotiate(accepted)) || 'identity';
}

function isCurrent(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag || one.trim() === '*');
}

/** A build may replace files while the server runs: they are looked at again after this time, milliseconds. */
const freshMs = 1000;

interface HeldFile {
  readonly content: Promise<StaticContent>;
  /** Time and size of the file. */
  readonly version: string;
  /** Milliseconds of `performance.now()`. */
  checkedAt: number;
}

/**
 * Files of a folder, each read when it is first asked for and then held.
 * @returns the content of a file; null: there is none, or not of a served type
 */
function staticFolder(folder: string): (name: string) => Promise<StaticContent | null> {
  const files = new Map<string, HeldFile>();
  return async (name) => {
    const type = mediaTypes[extname(name)];
    if (type === undefined) return null;
    const fresh = files.get(name);
    if (fresh && performance.now() - fresh.checkedAt < freshMs) return fresh.content;
    const path = join(folder, name);
    const version = await versionOf(path);
    if (version === null) {
      files.delete(name);
      return null;
    }
    const known = files.get(name);
    if (known?.version === version) {
      known.checkedAt = performance.now();
      return known.content;
    }
    const content = readFile(path).then((bytes) => StaticContent.of(bytes, type));
    files.set(name, { content, version, checkedAt: performance.now() });
    // A build may remove the file meanwhile; the next call reads it again.
    content.catch(() => files.delete(name));
    return content;
  };
}

/** Null: it is no file. */
async function versionOf(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() ? `${found.mtimeMs} ${found.size}` : null;
}

const folderOf = (name: string, folder: string) =>
  fileURLToPath(new URL(folder, import.meta.resolve(`@wajah/${name}/package.json`)));

/** The build output of packages/console. */
const builtConsole = folderOf('console', './dist/');

/** The site that packages/guide makes from the documents. */
const builtGuide = folderOf('guide', './site/');

/** Only resources of this server, nothing inline; pictures and videos also from `blob:` and `data:` URLs. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The file names of the build; no other path reaches the disk. */
const fileName = /^[\w-]+(\.[\w-]+|\/[\w-]+)*$/;

/** Not rate limited: one page is a dozen files. */
const free = { config: { rateLimit: false } } as const;

/** Folder of files whose name contains a hash of their content. */
const hashed = 'assets/';

declare module 'fastify' {
  interface FastifyInstance {
    /** Answers the page of hosted sessions at an address of any depth: its calls are relative to that. */
    sendHostedPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  }
}

/**
 * Serves the console at `/console` and the API reference at `/docs`. Paths below `/console` without a file extension lead
 * to it. The page of hosted sessions is `/liveness`. The element for liveness sessions is `/capture/index.js`. A browser that asks for `/` is led to the console. The documents are at `/docs/guide/`.
 * @param folder of the built pages
 * @param guide folder of the built documents
 */
export const staticPages = plugin(
  async (
    app: FastifyInstance,
    { folder = builtConsole, guide = builtGuide }: { folder?: string; guide?: string },
  ) => {
    const fileOf = staticFolder(folder);
    const file = async (name: string, request: FastifyRequest, reply: FastifyReply) => {
      const content = await fileOf(name);
      if (content === null) throw notBuilt('consolePages', 'node packages/console/build.mjs');
      return send(content, request, reply, 'no-cache');
    };
    // The addresses in a page are relative to the root of the server.
    const page = (name: string, address: string) => async (request: FastifyRequest, reply: FastifyReply) => {
      const way = wayToRoot(request);
      if (way === '') return file(name, request, reply);
      return reply.redirect(way + address + (/\?.*/s.exec(request.url)?.[0] ?? ''));
    };
    const index = page('index.html', 'console');
    app.get('/console', free, index);
    app.get('/docs', free, page('docs.html', 'docs'));
    app.get(hostedPath, free, page('liveness.html', hostedPath.slice(1)));
    app.decorate('sendHostedPage', async (request, reply) => {
      const content = await fileOf('liveness.html');
      if (content === null) throw notBuilt('consolePages', 'node packages/console/build.mjs');
      const html = content.text.replaceAll('="console/', `="${wayToRoot(request)}console/`);
      return withPolicy(reply, 'no-store').type(mediaTypes['.html']!).send(html);
    });
    app.get('/', free, async (request, reply) => {
      reply.header('vary', 'Accept');
      if (!wantsPage(request)) return reply.callNotFound();
      return reply.redirect('console', 302);
    });
    app.get<{ Params: { '*': string } }>('/console/*', free, async (request, reply) => {
      const path = request.params['*'];
      if (extname(path) === '') return index(request, reply);
      const content = fileName.test(path) ? await fileOf(path) : null;
      if (content === null) return reply.callNotFound();
      const forever = path.startsWith(hashed);
      return send(content, request, reply, forever ? 'public, max-age=31536000, immutable' : 'no-cache');
    });
    app.get('/capture/index.js', free, async (request, reply) => {
      // Pages of other origins import it, too.
      reply.header('access-control-allow-origin', '*');
      reply.header('cross-origin-resource-policy', 'cross-origin');
      return file('capture/index.js', request, reply);
    });
    serveGuide(app, guide);
  },
  { name: 'static-pages', dependencies: ['security', 'unrouted-requests'] },
);

/**
 * The way from an address to the root of the server, such as `../../`; empty for an address at the root. Redirects and
 * pages are relative by it: a proxy may serve the root below a path that the server does not know.
 */
function wayToRoot({ url }: FastifyRequest): string {
  const slashes = url.replace(/\?.*$/s, '').match(/\//g)?.length ?? 1;
  return '../'.repeat(slashes - 1);
}

// Programs send `*/*` or `application/json`.
const wantsPage = ({ headers }: FastifyRequest) => /\btext\/html\b/i.test(headers.accept ?? '');

/** Links of the documents are relative, so the index has its address with a slash. */
function serveGuide(app: FastifyInstance, folder: string): void {
  const fileOf = staticFolder(folder);
  const page = async (path: string, request: FastifyRequest, reply: FastifyReply) => {
    if (!fileName.test(path)) return notFound(path, request, reply);
    if (extname(path) === '') {
      return reply.redirect(`${wayToRoot(request)}docs/guide/${path === 'id' ? 'id/index' : path}.html`);
    }
    const content = await fileOf(path);
    return content === null ? notFound(path, request, reply) : send(content, request, reply, 'no-cache');
  };
  /** A page for people; programs get the envelope. */
  const notFound = async (path: string, request: FastifyRequest, reply: FastifyReply) => {
    const content = await fileOf(path.startsWith('id/') ? 'id/404.html' : '404.html');
    if (content === null || !wantsPage(request)) return reply.callNotFound();
    const html = content.text.replaceAll('="./', `="${wayToRoot(request)}`);
    return withPolicy(reply, 'no-store').code(404).type(mediaTypes['.html']!).send(html);
  };
  app.get('/docs/guide', free, async (request, reply) => {
    if ((await fileOf('index.html')) === null) throw notBuilt('documentPages', 'npm run docs:site');
    const isFolder = /^[^?]*\/(\?|$)/.test(request.url);
    return isFolder ? page('index.html', request, reply) : reply.redirect(`${wayToRoot(request)}docs/guide/`);
  });
  app.get<{ Params: { '*': string } }>('/docs/guide/*', free, async (request, reply) =>
    page(request.params['*'].replace(/\/$/, ''), request, reply),
  );
}

function send(content: StaticContent, request: FastifyRequest, reply: FastifyReply, caching: string) {
  return content.send(request, withPolicy(reply, caching));
}

function withPolicy(reply: FastifyReply, caching: string): FastifyReply {
  return reply.headers({
    'content-security-policy': policy,
    'permissions-policy': 'camera=(self)',
    'cache-control': caching,
  });
}

function notBuilt(pages: 'consolePages' | 'documentPages', command: string): Refusal {
  return new Refusal('pagesNotBuilt', { pages: phrase(pages), command });
}
