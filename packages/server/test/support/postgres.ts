import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { atEnd } from './temporary.ts';

/** Directory of PostgreSQL's programs; null when it is not installed. */
export const postgresPrograms = findPrograms();

/** For `describe.skipIf`; prints the reason once. */
export const noPostgres = postgresPrograms === null;
if (noPostgres) console.info('PostgreSQL is not installed here (Debian: postgresql): its tests are skipped');

/** Where a server keeps its data, for tests of services: and in PostgreSQL. */
export const storeKinds: readonly string[] = ['a data directory', ...(noPostgres ? [] : ['PostgreSQL'])];

/** The user that servers run as: PostgreSQL refuses to run as root. */
const account = process.getuid?.() === 0 ? accountOf('postgres') : null;

/** A data directory that new servers of all processes of a run copy: cheaper than `initdb` for each. */
function initialised(): string {
  const template = join(tmpdir(), 'wajah-pg-template');
  if (existsSync(template)) return join(template, 'data');
  const made = privateDirectory('wajah-pg-made-');
  const directory = join(made, 'data');
  const options = [
    '-U',
    'wajah',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-instructions',
    '--no-sync',
  ];
  runAs('initdb', '-D', directory, ...options);
  try {
    renameSync(made, template);
    return join(template, 'data');
  } catch {
    // Another process was faster.
    return directory;
  }
}

/** A PostgreSQL server of a test's own, in a temporary directory, on a free port of this machine. */
export class PostgresServer {
  readonly port: number;
  readonly directory: string;
  #databases = 0;

  private constructor(directory: string, port: number) {
    this.directory = directory;
    this.port = port;
  }

  /**
   * One that is removed at the end of the test, or of the file.
   * @param settings lines of postgresql.conf
   * @param options.tls host name of a certificate of its own, `server.crt` in its directory
   */
  static async start(
    settings: readonly string[] = [],
    options: { tls?: string } = {},
  ): Promise<PostgresServer> {
    const server = await PostgresServer.#create(settings, options.tls);
    atEnd(() => server.remove());
    return server;
  }

  static #shared: Promise<PostgresServer> | undefined;

  /** The one of all files of this process, which none of them stops; the global teardown does. */
  static shared(): Promise<PostgresServer> {
    const settings = ['fsync=off', 'full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0'];
    PostgresServer.#shared ??= PostgresServer.#create(settings);
    return PostgresServer.#shared;
  }

  /** A standby that follows this server, and is removed as it is. */
  async standby(settings: readonly string[] = []): Promise<PostgresServer> {
    const directory = privateDirectory('wajah-pg-');
    const from = ['-h', '127.0.0.1', '-p', String(this.port), '-U', 'wajah'];
    const to = ['-D', join(directory, 'data'), '-R'];
    runAs('pg_basebackup', ...from, ...to, '-X', 'stream', '-c', 'fast', '--no-sync');
    const standby = await PostgresServer.#serve(directory, settings);
    atEnd(() => standby.remove());
    return standby;
  }

  static #create(settings: readonly string[], tls?: string): Promise<PostgresServer> {
    const directory = privateDirectory('wajah-pg-');
    execFileSync('cp', ['-a', initialised(), join(directory, 'data')], identity());
    const certified = tls === undefined ? [] : certify(directory, tls);
    return PostgresServer.#serve(directory, [...settings, ...certified]);
  }

  static async #serve(directory: string, settings: readonly string[]): Promise<PostgresServer> {
    const server = new PostgresServer(directory, await freePort());
    server.#settings = [
      `port=${server.port}`,
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${directory}`,
      'shared_buffers=32MB',
      'max_connections=100',
      ...settings,
    ];
    server.start();
    return server;
  }

  #settings: string[] = [];

  start(): void {
    const options = this.#settings.map((line) => `-c ${line}`).join(' ');
    this.#control('start', '-w', '-l', join(this.directory, 'log'), '-o', options);
  }

  /** `immediate` is a crash. */
  stop(mode: 'fast' | 'immediate' = 'fast'): void {
    this.#control('stop', '-w', '-m', mode);
  }

  restart(mode: 'fast' | 'immediate' = 'fast'): void {
    this.stop(mode);
    this.start();
  }

  promote(): void {
    this.#control('promote', '-w');
  }

  /**
   * A new database.
   * @param template database that nobody is connected to, of which this is a copy; default: empty
   * @returns its URL
   */
  async database(template = 'template1'): Promise<string> {
    const name = `test_${++this.#databases}`;
    const [shown] = await this.query<{ server_version_num: string }>('SHOW server_version_num');
    // Since PostgreSQL 15 pages are logged, which takes three times the CPU time of a copy of the files.
    const strategy = Number(shown?.server_version_num) >= 150_000 ? ' STRATEGY FILE_COPY' : '';
    await this.query(`CREATE DATABASE ${name} TEMPLATE ${template}${strategy}`);
    return this.url(name);
  }

  url(database: string, port = this.port): string {
    return `postgres://wajah@127.0.0.1:${port}/${database}`;
  }

  /** @returns the rows */
  async query<Row>(sql: string, database = 'postgres'): Promise<Row[]> {
    const client = new Client({ connectionString: this.url(database) });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(sql)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  /** Stops the server and removes its files. */
  remove(): void {
    try {
      this.stop('immediate');
    } catch {
      // It is stopped already.
    }
    rmSync(this.directory, { recursive: true, force: true });
  }

  #control(...args: string[]): void {
    runAs('pg_ctl', '-D', join(this.directory, 'data'), '-t', '240', ...args);
  }
}

/** A new database of the shared server. @returns its URL */
export async function newDatabase(): Promise<string> {
  return (await PostgresServer.shared()).database();
}

const pgBouncer = findProgram('pgbouncer', ['/usr/sbin', '/usr/bin']);

/** For `describe.skipIf`; prints the reason once. */
export const noPgBouncer = noPostgres || pgBouncer === null;
if (noPgBouncer) console.info('PgBouncer is not installed here (Debian: pgbouncer): its tests are skipped');

/** PgBouncer in transaction mode before a server, until the test or file ends. @throws Error where it is not installed */
export async function startPgBouncer(server: PostgresServer): Promise<{ url(database: string): string }> {
  if (pgBouncer === null) throw new Error('PgBouncer is not installed here');
  const directory = privateDirectory('wajah-pgbouncer-');
  const port = await freePort();
  const settings = `[databases]
* = host=127.0.0.1 port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
logfile = ${directory}/log
`;
  // "any" logs everybody in as one user, which must be named.
  const file = join(directory, 'pgbouncer.ini');
  writeAs(file, settings.replace(`port=${server.port}`, `port=${server.port} user=wajah`));
  const child = spawn(pgBouncer, [file], { stdio: 'ignore', ...identity() });
  atEnd(() => {
    child.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });
  await listening(child, port);
  return { url: (database) => server.url(database, port) };
}

async function listening(child: ChildProcess, port: number): Promise<void> {
  for (let tries = 0; tries < 4000; tries++) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    const client = new Client({ host: '127.0.0.1', port, user: 'wajah', database: 'postgres' });
    client.on('error', () => {});
    const connected = await client.connect().then(
      () => true,
      () => false,
    );
    if (connected) return client.end();
    await delay(50);
  }
  throw new Error('it does not listen');
}

/**
 * A port that is free, and below those that systems give to connections: one of these would take the port of a server
 * that has not started yet, or is down for a while. No other process of the run gets it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if ((await isFree(port)) && claims(port)) return port;
  }
}

/** Takes a port by a file in the folder of the run. @returns whether nobody has it */
function claims(port: number): boolean {
  try {
    writeFileSync(join(tmpdir(), `port-${port}`), '', { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listens = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (listens) await new Promise((resolve) => server.close(resolve));
  return listens;
}

function runAs(program: string, ...args: string[]): void {
  if (postgresPrograms === null) throw new Error('PostgreSQL is not installed');
  // Its own log goes to a file; a server that inherits these pipes would hold them open.
  execFileSync(join(postgresPrograms, program), args, { stdio: 'ignore', ...identity(), timeout: 300_000 });
}

/** @returns settings */
function certify(directory: string, host: string): string[] {
  const [key, certificate] = [join(directory, 'server.key'), join(directory, 'server.crt')];
  const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`, '-days', '2'];
  const files = ['-nodes', '-keyout', key, '-out', certificate];
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  execFileSync('openssl', [...args, ...subject, ...files], { stdio: 'ignore', ...identity() });
  chmodSync(key, 0o600);
  return ['ssl=on', `ssl_key_file=${key}`, `ssl_cert_file=${certificate}`];
}

function writeAs(file: string, text: string): void {
  execFileSync('/bin/sh', ['-c', 'cat > "$0"', file], { input: text, ...identity() });
}

function identity() {
  // The working directory may be inaccessible to that user.
  return { cwd: tmpdir(), ...(account ? { uid: account.uid, gid: account.gid } : {}) };
}

function privateDirectory(prefix: string): string {
  const directory = mkdtempSync(join(tmpdir(), prefix));
  if (account) chownSync(directory, account.uid, account.gid);
  chmodSync(directory, 0o700);
  return directory;
}

function accountOf(name: string): { uid: number; gid: number } | null {
  try {
    const id = (flag: string) =>
      Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return null;
  }
}

function findPrograms(): string | null {
  if (process.getuid?.() === 0 && accountOf('postgres') === null) return null;
  const debian = '/usr/lib/postgresql';
  const folders: string[] = [];
  try {
    const versions = readdirSync(debian).sort((a, b) => Number(b) - Number(a));
    folders.push(...versions.map((version) => join(debian, version, 'bin')));
  } catch {
    // Not Debian.
  }
  folders.push(...(process.env['PATH'] ?? '').split(':'));
  const needed = ['initdb', 'pg_ctl', 'pg_basebackup'];
  return folders.find((folder) => needed.every((name) => isProgram(join(folder, name)))) ?? null;
}

function findProgram(name: string, folders: readonly string[]): string | null {
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
