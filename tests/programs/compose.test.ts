import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { settingList } from '@wajah/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { freePort, noPostgres, PostgresServer } from '../../packages/server/test/support/postgres.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { serve, wajah } from '../support/program.ts';
import { nginx, startNginx, type TlsProxy } from '../support/proxy.ts';
import { root } from '../support/sources.ts';

const run = promisify(execFile);
const folder = join(root, 'deploy/compose');
const text = readFileSync(join(folder, 'compose.yaml'), 'utf8');

interface Service {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly read_only?: boolean;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly configs: Readonly<Record<'pgbouncer' | 'users', { readonly content: string }>>;
}

const { services, configs } = parse(text, { merge: true }) as Compose;

describe('deploy/compose', () => {
  it('has images of a version, and settings that exist', () => {
    for (const [name, { image }] of Object.entries(services)) {
      expect([name, image]).toEqual([name, expect.stringMatching(/:\d+(\.\d+)+/)]);
    }
    const known = settingList.map(({ name }) => name as string);
    for (const name of ['wajah-1', 'wajah-2']) {
      expect(services[name]?.read_only).toBe(true);
      for (const setting of Object.keys(services[name]?.environment ?? {})) {
        expect(known).toContain(setting);
      }
    }
  });

  it('has the version of the packages', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(services['wajah-1']?.image).toBe(`wajah:${version}`);
  });
});

const pgbouncer = '/usr/sbin/pgbouncer';
const isPossible = !noPostgres && process.getuid?.() === 0 && nginx !== undefined && existsSync(pgbouncer);

/** A person is enrolled, then identified in another picture, again and again. */
const script = `
import { createWajahClient } from '${root}/packages/client/dist/index.js';
const [url, token, action] = process.argv.slice(2);
const gallery = createWajahClient({ url, token }).gallery('door@trial');
const picture = (name) => ({ path: '${root}/samples/' + name });
if (action === 'enrol') await gallery.enrol({ user_id: '1', user_name: 'Sri', image: picture('sri-1.jpg') });
for (let i = 0; i < 6; i++) console.log((await gallery.identify(picture('sri-2.jpg')))?.user_name);
`;

/** What the compose file describes, with programs of this machine and on its ports. */
class Stand {
  readonly folder = temporaryDirectory();
  readonly #children: ChildProcess[] = [];

  constructor() {
    // PgBouncer reads its files as another user.
    chmodSync(this.folder, 0o755);
  }

  /** @returns the URL of the database through PgBouncer */
  async pooler(server: PostgresServer): Promise<string> {
    const [port, password] = [await freePort(), randomBytes(24).toString('hex')];
    const database = new URL(await server.database()).pathname.slice(1);
    const settings = configs.pgbouncer.content
      .replace('host=postgres port=5432', `host=127.0.0.1 port=${server.port} dbname=${database}`)
      .replace('listen_port = 6432', `listen_port = ${port}`)
      .replace('/etc/pgbouncer', this.folder);
    writeFileSync(join(this.folder, 'wajah.users'), configs.users.content.replace(/\$\{.*\}/, password));
    writeFileSync(join(this.folder, 'wajah.ini'), settings);
    this.#start(pgbouncer, ['--user=postgres', join(this.folder, 'wajah.ini')]);
    return `postgres://wajah:${password}@127.0.0.1:${port}/wajah`;
  }

  /** Runs the script. @returns the names that it found */
  async identify({ url, authority }: TlsProxy, token: string, action = '') {
    const file = join(this.folder, 'door.mjs');
    const certificate = join(this.folder, 'authority.pem');
    writeFileSync(file, script);
    writeFileSync(certificate, authority);
    const env = { NODE_EXTRA_CA_CERTS: certificate };
    const { stdout } = await run(process.execPath, [file, url, token, action], { env });
    return stdout.trim().split('\n');
  }

  #start(program: string, args: string[]): void {
    this.#children.push(spawn(program, args, { stdio: 'ignore' }));
  }

  stop(): void {
    for (const child of this.#children) child.kill('SIGTERM');
  }
}

describe.skipIf(!isPossible)('the parts of deploy/compose', () => {
  let stand: Stand;
  beforeAll(async () => {
    stand = new Stand();
  });
  afterAll(async () => {
    stand?.stop();
  });

  it('serve over TLS, and go on when a server ends', async () => {
    const settings = {
      WAJAH_DATABASE_URL: await stand.pooler(await PostgresServer.shared()),
      WAJAH_SECRET_KEY: randomBytes(32).toString('hex'),
      WAJAH_TRUST_PROXY: '1',
      WAJAH_DATA_DIR: temporaryDirectory(),
    };
    const servers = await Promise.all([serve(settings), serve(settings)]);
    const made = await wajah(settings, 'client', 'create', 'door', '--json');
    const { access_token: token } = JSON.parse(made.out) as { access_token: string };
    const proxy = await startNginx(
      readFileSync(join(folder, 'nginx.conf'), 'utf8'),
      servers.map(({ url }) => url),
    );

    const names = Array.from({ length: 6 }, () => 'Sri');
    expect(await stand.identify(proxy, token, 'enrol')).toEqual(names);
    await servers[0].stop('SIGKILL');
    expect(await stand.identify(proxy, token)).toEqual(names);
  });
});
