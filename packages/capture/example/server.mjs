// A page with <wajah-liveness> and its backend, which holds the password of the client, forwards the five calls of
// the element and enrols the person who passed with the liveness_token.
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
    const answer = await fetch(`${options.wajah}/oauth/client/token`, { method: 'POST', body: login });
    token = (await answer.json()).access_token;
  }
  const headers = { Accesstoken: token ?? '', 'Content-Type': 'application/json' };
  const answer = await fetch(options.wajah + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (answer.status === 401 && !fresh) return wajah(path, body, true);
  return { http: answer.status, wait: answer.headers.get('retry-after'), body: await answer.json() };
}

// ---- The calls of the page. A real backend checks the login here, and keeps `passed` with it.
const passed = new Map();
const calls = {
  // Of the page only the wishes for lights and for coming closer are taken: the backend chooses the person (user_id,
  // facegallery_id).
  '/liveness/create': ({ light, closer }, visitor) =>
    wajah('/liveness-api/create-session', {
      steps: 2,
      subject: visitor,
      wait: true,
      keep_frame: true,
      ...(light === true && { light }),
      ...(closer === true && { closer }),
    }),
  '/liveness/begin': ({ session_id }) => wajah('/liveness-api/begin-session', { session_id }),
  '/liveness/detect': ({ session_id, image, attributes }) =>
    wajah('/liveness-api/hint-frame', { session_id, image, attributes }),
  '/liveness/frame': ({ session_id, image }) => wajah('/liveness-api/send-frame', { session_id, image }),
  // `consent` is what the visitor ticked; a real backend keeps a record of it.
  '/liveness/submit': async ({ session_id, frames, light_frames, consent, device }) => {
    const recorded = consent === true ? { consent, device } : {};
    const submitted = { session_id, frames, light_frames, ...recorded };
    const answer = await wajah('/liveness-api/submit-session', submitted);
    const { liveness_token } = answer.body;
    if (liveness_token) {
      passed.set(session_id, { liveness_token, use_session_frame: true });
      setTimeout(() => passed.delete(session_id), answer.body.expires_in * 1000);
    }
    return answer;
  },
  '/enrol': ({ session_id, user_id, user_name }) => {
    const proof = passed.get(session_id);
    if (!proof) return { http: 403, body: { detail: 'no liveness check was passed' } };
    passed.delete(session_id);
    const person = { facegallery_id: options.gallery, user_id, user_name, replace: true };
    return wajah('/face-api/facegallery/enroll-face', { ...person, ...proof });
  },
};

// ---- Visitors. The subject of a session must be an account: a visitor can drop a cookie, and starts anew without it.
function visitorOf(request, response) {
  const known = /(?:^|; )visitor=([\w-]{36})/.exec(request.headers.cookie ?? '')?.[1];
  if (known !== undefined) return known;
  const visitor = randomUUID();
  response.setHeader('Set-Cookie', `visitor=${visitor}; HttpOnly; SameSite=Strict; Path=/`);
  return visitor;
}

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
      const { http, wait, body } = await call(
        JSON.parse(await textOf(request)),
        visitorOf(request, response),
      );
      if (wait) response.setHeader('Retry-After', wait);
      return response.writeHead(http, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    }
    const bytes = readFileSync(fileOf(pathname) ?? '');
    response.writeHead(200, { 'Content-Type': types[extname(fileOf(pathname))] ?? 'text/plain' }).end(bytes);
  } catch (error) {
    const [http, detail] = /^E(NOENT|ISDIR)$/.test(error.code)
      ? [404, 'no such page']
      : [502, 'Wajah did not answer'];
    response.writeHead(http, { 'Content-Type': 'application/json' }).end(JSON.stringify({ detail }));
  }
});

async function textOf(request, most = 32 * 2 ** 20) {
  const parts = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > most) throw new Error('too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8') || '{}';
}

server.listen(Number(options.port), '127.0.0.1', () => {
  console.error(`The example is at http://127.0.0.1:${server.address().port}`);
});
