import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { OperatorError } from '../errors.ts';

/** Where a database is. */
export interface DatabaseTarget {
  /** In the order in which they are tried; a host that begins with / is the folder of a Unix socket. */
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  readonly user: string;
  readonly password: string | undefined;
  readonly database: string;
  readonly tls: ConnectionOptions | false;
}

const defaultPort = 5432;

const parameters = ['host', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const;
type Parameter = (typeof parameters)[number];

const tlsModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;

/** postgres://user:password@host:port,host:port/database?parameter=value */
const shape = /^postgres(?:ql)?:\/\/(?:([^:@/?]+)(?::([^@/?]*))?@)?([^/?@]*)\/([^/?]+)(?:\?(.*))?$/;

/**
 * Reads a database URL as libpq does, several hosts included. `sslmode`: disable (default), require (encrypted,
 * whoever answers), verify-ca, verify-full (the certificate must fit the host name).
 * @param name of the setting, for messages; the URL itself is never shown, it holds a password
 * @throws OperatorError naming the part that is wrong
 * @example parseDatabaseUrl('postgres://wajah:secret@db1,db2:6432/wajah?sslmode=verify-full');
 */
export function parseDatabaseUrl(name: string, url: string): DatabaseTarget {
  const match = shape.exec(url);
  if (!match) throw wrong(name, 'it has not the form postgres://user:password@host:port/database');
  const [, user = '', password, authority = '', database = '', query = ''] = match;
  const given = readParameters(name, query);
  if (user === '') throw wrong(name, 'it names no user');
  return {
    hosts: readHosts(name, given.host ?? decode(name, authority)),
    user: decode(name, user),
    password: password === undefined ? undefined : decode(name, password),
    database: decode(name, database),
    tls: readTls(name, given),
  };
}

/** The URL with its password hidden. */
export function maskDatabaseUrl(url: string): string {
  const password = shape.exec(url)?.[2];
  if (!shape.test(url)) return '(hidden)';
  return password === undefined ? url : url.replace(`:${password}@`, ':***@');
}

function readParameters(name: string, query: string): Partial<Record<Parameter, string>> {
  const given: Partial<Record<Parameter, string>> = {};
  for (const [key, value] of new URLSearchParams(query)) {
    const known = parameters.find((parameter) => parameter === key);
    if (!known) throw wrong(name, `the parameter ${key} is not known; allowed: ${parameters.join(', ')}`);
    given[known] = value;
  }
  return given;
}

function readHosts(name: string, text: string): DatabaseTarget['hosts'] {
  if (text === '') throw wrong(name, 'it names no host');
  return text.split(',').map((part) => {
    if (part.startsWith('/')) return { host: part, port: defaultPort };
    const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(part) ?? [];
    const host = bracketed ?? plain;
    if (host === undefined || Number(port ?? 0) > 65_535) {
      throw wrong(name, 'a host has not the form name or name:port');
    }
    return { host, port: port === undefined ? defaultPort : Number(port) };
  });
}

function readTls(name: string, given: Partial<Record<Parameter, string>>): ConnectionOptions | false {
  const mode = tlsModes.find((known) => known === (given.sslmode ?? 'disable'));
  if (!mode) throw wrong(name, `sslmode is not known; allowed: ${tlsModes.join(', ')}`);
  if (mode === 'disable') return false;
  const read = (file: string | undefined) => (file === undefined ? {} : { file: readPem(name, file) });
  const ca = read(given.sslrootcert).file;
  const cert = read(given.sslcert).file;
  const key = read(given.sslkey).file;
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    rejectUnauthorized: mode !== 'require',
    // libpq's verify-ca: signed by the authority, whatever name the certificate bears.
    ...(mode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
  };
}

function readPem(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw wrong(name, `${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function decode(name: string, text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong(name, 'a % is not followed by two hexadecimal digits');
  }
}

function wrong(name: string, reason: string): OperatorError {
  return new OperatorError(
    `${name}: ${reason}; allowed: postgres://user:password@host:port/database, special characters as %xx`,
  );
}
