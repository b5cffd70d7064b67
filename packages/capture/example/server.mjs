// A page with <wajah-liveness> and its backend. The backend holds the password of the client and forwards the five calls
// of the element. It keeps what proves something, and enrols the visitor who passed: the page never has a token, and
// names neither the user nor the gallery.
//
//   node server.mjs --wajah http://127.0.0.1:8080 --client demo --password-file password.txt
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    wajah: { type: 'string', default: 'http://127.0.0.1:8080' },
    client: { type: 'string', default: 'demo' },
    'password-file': { type: 'string', default: 'password.txt' },
    gallery: { type: 'string', default: 'demo@trial' },
    port: { type: 'string', default: '3000' },
  },
});
const password = readFileSync(options['password-file'], 'utf8').trim();

// ---- Wajah: the token is requested with the password, and again after a 401.
let token;
async function wajah(path, body, fresh = false) {
  if (fresh || token === undefined) {
    const login = JSON.stringify({ client_id: options.client, password });
    const signal = AbortSignal.timeout(60_000);
    const answer = await fetch(`${options.wajah}/oauth/client/token`, {
      method: 'POST',
      body: login,
      signal,
    });
    token = (await answer.json()).access_token;
  }
  const headers = { Accesstoken: token ?? '', 'Content-Type': 'application/json' };
  const signal = AbortSignal.timeout(60_000);
  const call = { method: 'POST', headers, body: JSON.stringify(body), signal };
  const answer = await fetch(options.wajah + path, call);
  if (answer.status === 401 && !fresh) return wajah(path, body, true);
  return { http: answer.status, wait: answer.headers.get('retry-after'), body: await answer.json() };
}

// ---- Visitors, by their cookie. A real backend has accounts in place of this: a visitor who drops the cookie starts anew,
// with a new user_id and without the tries that failed. Behind HTTPS add `Secure` to the cookie.
const visitors = new Map();
const mostVisitors = 10_000;
const forgottenAfterMs = 60 * 60_000;

function visitorOf(request, response) {
  const now = Date.now();
  const cookie = /(?:^|; )visitor=([\w-]{36})/.exec(request.headers.cookie ?? '')?.[1];
  const visitor = visitors.get(cookie) ?? { cookie: randomUUID(), userId: randomUUID() };
  visitors.delete(visitor.cookie);
  // The map is in the order of the latest visits.
  for (const [key, { seenAt }] of visitors) {
    if (visitors.size < mostVisitors && now - seenAt < forgottenAfterMs) break;
    visitors.delete(key);
  }
  visitors.set(visitor.cookie, Object.assign(visitor, { seenAt: now }));
  if (visitor.cookie !== cookie) {
    response.setHeader('Set-Cookie', `visitor=${visitor.cookie}; HttpOnly; SameSite=Strict; Path=/`);
  }
  return visitor;
}

// ---- The calls of the page.
/** What the page may have of an answer. The nonce and the liveness_token stay here. */
function shown({ body: { nonce, liveness_token, ...body }, ...answer }) {
  return { ...answer, body };
}

/** Keeps the answer about a session, as create-session or begin-session gave it, until its deadline. */
function keep(visitor, answer) {
  const { session_id, expires_in } = answer.body;
  if (answer.body.status === '200') {
    visitor.session = { id: session_id, answer, until: Date.now() + expires_in * 1000 };
  }
  return shown(answer);
}

/** The session of a visitor as it is now; undefined: there is none, or it was judged or has expired. */
function openSession({ session }) {
  const seconds = Math.floor(((session?.until ?? 0) - Date.now()) / 1000);
  if (seconds <= 0) return undefined;
  return shown({ ...session.answer, body: { ...session.answer.body, expires_in: seconds } });
}

/** A call about a session, which must be the visitor's own. */
const ofOwnSession = (call) => async (body, visitor) => {
  if (visitor.session && visitor.session.id === body.session_id) return call(body, visitor);
  return { http: 404, body: { detail: 'this visitor has no such session' } };
};

const calls = {
  // A visitor has one session, until it is judged or expires: who had ten would have ten tries.
  '/liveness/create': (_, visitor) => {
    const open = openSession(visitor);
    if (open !== undefined) return open;
    const session = { steps: 2, subject: visitor.userId, wait: true, keep_frame: true };
    visitor.opening ??= wajah('/liveness-api/create-session', session).finally(() => {
      visitor.opening = undefined;
    });
    return visitor.opening.then((answer) => keep(visitor, answer));
  },
  '/liveness/begin': ofOwnSession(async ({ session_id }, visitor) =>
    keep(visitor, await wajah('/liveness-api/begin-session', { session_id })),
  ),
  '/liveness/detect': ofOwnSession(({ session_id, image, attributes }) =>
    wajah('/liveness-api/hint-frame', { session_id, image, attributes }),
  ),
  '/liveness/frame': ofOwnSession(({ session_id, image, step }) =>
    wajah('/liveness-api/send-frame', { session_id, image, step }),
  ),
  '/liveness/submit': ofOwnSession(async ({ session_id, frames }, visitor) => {
    const { session } = visitor;
    const answer = await wajah('/liveness-api/submit-session', { session_id, frames });
    const { status, liveness_token, expires_in } = answer.body;
    if (liveness_token) visitor.pass = { liveness_token, until: Date.now() + expires_in * 1000 };
    // It is judged; after a refusal such as 503 the same frames may be sent again.
    if (status === '200') session.until = 0;
    return shown(answer);
  }),
  // The user is the visitor, whatever the page says, and nobody is replaced.
  '/enrol': ({ user_name }, visitor) => {
    const { pass } = visitor;
    visitor.pass = undefined;
    if (!pass || pass.until <= Date.now())
      return { http: 403, body: { detail: 'no liveness check was passed' } };
    return wajah('/face-api/facegallery/enroll-face', {
      facegallery_id: options.gallery,
      user_id: visitor.userId,
      user_name,
      liveness_token: pass.liveness_token,
      use_session_frame: true,
    });
  },
};

// ---- Files: the page and the built element.
const here = fileURLToPath(new URL('.', import.meta.url));
const element = fileURLToPath(new URL('../dist/', import.meta.url));
const types = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.map': 'application/json',
};
function fileOf(path) {
  if (path.startsWith('/capture/')) return join(element, normalize(path.slice('/capture'.length)));
  return { '/': `${here}index.html`, '/page.js': `${here}page.js`, '/page.css': `${here}page.css` }[path];
}

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://page');
  response.setHeader(
    'Content-Security-Policy',
    "default-src 'self'; img-src data:; require-trusted-types-for 'script'",
  );
  response.setHeader('Permissions-Policy', 'camera=(self)');
  try {
    const call = request.method === 'POST' && calls[pathname];
    if (call) {
      const fields = fieldsOf(await textOf(request));
      const { http, wait, body } = await call(fields, visitorOf(request, response));
      if (wait) response.setHeader('Retry-After', wait);
      return response.writeHead(http, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    }
    const bytes = readFileSync(fileOf(pathname) ?? '');
    response.writeHead(200, { 'Content-Type': types[extname(fileOf(pathname))] ?? 'text/plain' }).end(bytes);
  } catch (error) {
    const [http, detail] = refusals[error.code] ?? [502, 'Wajah did not answer'];
    response.writeHead(http, { 'Content-Type': 'application/json' }).end(JSON.stringify({ detail }));
  }
});

/** What is not a fault of Wajah, by the code of the error. */
const refusals = {
  ENOENT: [404, 'no such page'],
  EISDIR: [404, 'no such page'],
  EBODY: [400, 'the body is no JSON object of at most 32 MiB'],
};

function refuseBody() {
  throw Object.assign(new Error('body'), { code: 'EBODY' });
}

function fieldsOf(text) {
  let fields;
  try {
    fields = JSON.parse(text);
  } catch {
    refuseBody();
  }
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) refuseBody();
  return fields;
}

async function textOf(request, most = 32 * 2 ** 20) {
  const parts = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > most) refuseBody();
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8') || '{}';
}

server.listen(Number(options.port), '127.0.0.1', () => {
  console.error(`The example is at http://127.0.0.1:${server.address().port}`);
});
