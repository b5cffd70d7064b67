import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { drawnFace } from '../../packages/engine/test/drawn/drawn-face.ts';
import { type Film, filmOf } from '../../packages/server/test/support/film.ts';
import { noPostgres, PostgresServer } from '../../packages/server/test/support/postgres.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { blocksOf } from '../support/doc-blocks.ts';
import { newClient } from '../support/enrolling.ts';
import { serve } from '../support/program.ts';
import { caddy, nginx, send, startCaddy, startNginx, type TlsProxy } from '../support/proxy.ts';
import { documentPaths, root } from '../support/sources.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

type Server = Awaited<ReturnType<typeof serve>>;

interface Configuration {
  readonly where: string;
  readonly start: (urls: readonly string[]) => Promise<TlsProxy>;
  readonly program: string | undefined;
  /** It has several servers. */
  readonly several: boolean;
}

const ofNginx = (where: string, text: string): Configuration => ({
  where,
  start: (urls) => startNginx(text, urls),
  program: nginx,
  several: text.includes('upstream'),
});

/** Every configuration that is printed. */
const configurations: readonly Configuration[] = [
  ...documentPaths().flatMap((path) =>
    blocksOf(read(path)).flatMap(({ language, text, line }) => {
      const where = `${path}:${line}`;
      const caddyfile = /Caddyfile <<'END'\n([\s\S]*)\nEND$/m.exec(text)?.[1];
      if (caddyfile)
        return [
          {
            where,
            start: (urls: readonly string[]) => startCaddy(caddyfile, urls),
            program: caddy,
            several: false,
          },
        ];
      return language === 'nginx' ? [ofNginx(where, text)] : [];
    }),
  ),
  ofNginx('deploy/compose/nginx.conf', read('deploy/compose/nginx.conf')),
];

it('every language of a configuration of a proxy is known here', () => {
  expect(configurations.map(({ several }) => several).sort()).toEqual([false, false, true, true]);
});

/** 3 MB and 25 megapixels, as a phone's with a film behind the picture: more than a tenth of a second of work. */
const largePicture = async () => {
  const picture = await sharp(await drawnFace({ person: 'ani' }))
    .resize(5000, 5000, { fit: 'cover' })
    .jpeg({ quality: 100, progressive: true })
    .toBuffer();
  return Buffer.concat([picture, Buffer.alloc(3_100_000 - picture.length)]).toString('base64');
};

describe.skipIf(noPostgres)('a configuration of a proxy, with two servers of one database', () => {
  let servers: { readonly good: Server; readonly refusing: Server };
  let image: string;
  let film: Film;
  let client: Awaited<ReturnType<typeof newClient>>;

  beforeAll(async () => {
    const settings = {
      WAJAH_DATABASE_URL: await (await PostgresServer.shared()).database(),
      WAJAH_SECRET_KEY: randomBytes(32).toString('hex'),
      WAJAH_DATA_DIR: temporaryDirectory(),
      WAJAH_TRUST_PROXY: '127.0.0.1',
      // Drawn heads are no photographs.
      WAJAH_SPOOF_THRESHOLD: '1',
      WAJAH_UNCLEAR_SPOOF: 'accept',
    };
    // Each call with the picture is answered 503.
    const late = { ...settings, WAJAH_ENGINE_DEADLINE_MS: '100' };
    const [good, refusing] = await Promise.all([serve(settings), serve(late)]);
    servers = { good, refusing };
    client = await newClient(settings, 'door');
    [image, film] = await Promise.all([largePicture(), filmOf('ani')]);
    expect(image.length).toBeGreaterThan(4_000_000);
  });

  const call = (proxy: TlsProxy, path: string, body: object, headers: Record<string, string> = {}) =>
    send(proxy, path, { body, headers: { accesstoken: client.token, ...headers } });

  const enrol = (proxy: TlsProxy, user_id: string) => {
    const person = { facegallery_id: 'door@trial', user_id, user_name: 'Sri', replace: true, image };
    // Each name is another place of the hash.
    return call(proxy, '/face-api/facegallery/enroll-face', person, { 'x-gallery': user_id });
  };

  describe.each(configurations)('$where', ({ where, start, program, several }) => {
    /** Of the addresses and frames that are of this configuration alone. */
    const number = configurations.findIndex((one) => one.where === where);
    let proxy: TlsProxy;
    beforeAll(async () => {
      if (program) proxy = await start([servers.good.url, ...(several ? [servers.refusing.url] : [])]);
    });

    it.skipIf(!program)('lets pictures of 3 MB through, to the server that takes them', async () => {
      const before = refusalsOf(servers.refusing);
      for (let i = 0; i < 16 && (i === 0 || (several && refusalsOf(servers.refusing) === before)); i++)
        expect(await enrol(proxy, `person ${i}`)).toMatchObject({ status: 200, body: { status: '200' } });
      expect(refusalsOf(servers.refusing) > before).toBe(several);
    });

    it.skipIf(!program || !several)(
      'passes on that both are busy, and leaves none of them out for it',
      async () => {
        const busy = await start([servers.refusing.url, servers.refusing.url]);
        for (const user_id of ['1', '2', '3', '4'])
          expect(await enrol(busy, user_id)).toMatchObject({
            status: 503,
            headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
          });
      },
    );

    it.skipIf(!program)("tells the caller's address and the host that was asked for", async () => {
      const signIn = (from: string) =>
        send(proxy, '/oauth/client/token', { body: { client_id: 'nobody', password: 'wrong' }, from });
      for (let i = 0; i < 10; i++) expect((await signIn(`127.0.${number}.2`)).status).toBe(401);
      expect((await signIn(`127.0.${number}.2`)).status).toBe(429);
      expect((await signIn(`127.0.${number}.3`)).status).toBe(401);
      const { body } = await call(proxy, '/liveness-api/create-session', { hosted: true });
      expect(body['url']).toMatch(new RegExp(`^${proxy.url}/liveness`));
    });

    it.skipIf(!program)('serves a hosted session to its end', async () => {
      const made = await call(proxy, '/liveness-api/create-session', { hosted: true, steps: 2 });
      const [session_id, secret = ''] = new URL(String(made.body['url'])).hash.slice(1).split('.');
      const page = { accesstoken: secret };
      const begun = await call(proxy, '/liveness-api/begin-session', { session_id }, page);
      const frames = await film.frames(begun.body['steps'] as string[], 10 * number);
      const judged = await call(proxy, '/liveness-api/submit-session', { session_id, frames }, page);
      expect(judged.body).toMatchObject({ status: '200', liveness: 'passed' });
    });
  });
});

/** Calls that a server has answered 503, by its log. */
const refusalsOf = (server: Server) => server.out.match(/"http":503/g)?.length ?? 0;
