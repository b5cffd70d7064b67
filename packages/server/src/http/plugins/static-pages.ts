import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { Refusal } from '../../errors.ts';
import { type StaticContent, staticFolder } from '../static-content.ts';

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

/**
 * Serves the console at `/console` and the API reference at `/docs`. Paths below `/console` without a file extension get
 * the console's index page. A browser that asks for `/` is led to the console. The documents are at `/docs/guide/`.
 * @param folder of the built pages
 * @param guide folder of the built documents
 */
export const staticPages = plugin(
  async (
    app: FastifyInstance,
    { folder = builtConsole, guide = builtGuide }: { folder?: string; guide?: string },
  ) => {
    const fileOf = staticFolder(folder);
    const page = (name: string) => async (request: FastifyRequest, reply: FastifyReply) => {
      const content = await fileOf(name);
      if (content === null) throw notBuilt('console', 'node packages/console/build.mjs');
      return send(content, request, reply, 'no-cache');
    };
    const index = page('index.html');
    app.get('/console', free, index);
    app.get('/docs', free, page('docs.html'));
    app.get('/', free, async (request, reply) => {
      reply.header('vary', 'Accept');
      // Programs send `*/*` or `application/json`.
      if (!/\btext\/html\b/i.test(request.headers.accept ?? '')) return reply.callNotFound();
      return reply.redirect('/console', 302);
    });
    app.get<{ Params: { '*': string } }>('/console/*', free, async (request, reply) => {
      const path = request.params['*'];
      if (extname(path) === '') return index(request, reply);
      const content = fileName.test(path) ? await fileOf(path) : null;
      if (content === null) return reply.callNotFound();
      const forever = path.startsWith(hashed);
      return send(content, request, reply, forever ? 'public, max-age=31536000, immutable' : 'no-cache');
    });
    serveGuide(app, guide);
  },
  { name: 'static-pages', dependencies: ['security', 'unknown-routes'] },
);

/** Links of the documents are relative, so the index has its address with a slash. */
function serveGuide(app: FastifyInstance, folder: string): void {
  const fileOf = staticFolder(folder);
  const page = async (path: string, request: FastifyRequest, reply: FastifyReply) => {
    if (!fileName.test(path)) return reply.callNotFound();
    if (extname(path) === '') {
      return reply.redirect(`/docs/guide/${path === 'id' ? 'id/index' : path}.html`);
    }
    const content = await fileOf(path);
    return content === null ? reply.callNotFound() : send(content, request, reply, 'no-cache');
  };
  app.get('/docs/guide', free, async (request, reply) => {
    if ((await fileOf('index.html')) === null) throw notBuilt('documents', 'npm run docs:site');
    const isFolder = /^[^?]*\/(\?|$)/.test(request.url);
    return isFolder ? page('index.html', request, reply) : reply.redirect('/docs/guide/');
  });
  app.get<{ Params: { '*': string } }>('/docs/guide/*', free, async (request, reply) =>
    page(request.params['*'].replace(/\/$/, ''), request, reply),
  );
}

function send(content: StaticContent, request: FastifyRequest, reply: FastifyReply, caching: string) {
  reply.header('content-security-policy', policy);
  reply.header('permissions-policy', 'camera=(self)');
  reply.header('cache-control', caching);
  return content.send(request, reply);
}

function notBuilt(what: string, command: string): Refusal {
  return new Refusal(
    'routeNotFound',
    `the pages of the ${what} are not built on this server; \`${command}\` builds them`,
  );
}
