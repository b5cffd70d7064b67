import type { ConnectionOptions } from 'node:tls';
import { OperatorError } from '../errors.ts';
import { settingPath } from './installed.ts';
import { readPlainFile } from './plain-file.ts';

/** Hosts, credentials and TLS options of a PostgreSQL database. */
export interface DatabaseTarget {
  /** In the order of attempts; a host that begins with / is the directory of a Unix socket. */
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
 * Parses a connection URL in the format of libpq, several hosts included. `sslmode`: disable (default), require
 * (encrypted, certificate not verified), verify-ca, verify-full (the certificate must match the host name).
 * @param name of the setting, for error messages, which never contain the password
 * @throws OperatorError that names the wrong part
 * @example parseDatabaseUrl('postgres://wajah:secret@db1,db2:6432/wajah?sslmode=verify-full');
 */
export function parseDatabaseUrl(name: string, url: string): DatabaseTarget {
  const match = shape.exec(url);
  if (!match) throw wrong(name, 'it does not have the form postgres://user:password@host:port/database');
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
      throw wrong(name, 'a host does not have the form name or name:port');
    }
    return { host, port: port === undefined ? defaultPort : Number(port) };
  });
}

function readTls(name: string, given: Partial<Record<Parameter, string>>): ConnectionOptions | false {
  const mode = tlsModes.find((known) => known === (given.sslmode ?? 'disable'));
  if (!mode) throw wrong(name, `sslmode is not known; allowed: ${tlsModes.join(', ')}`);
  if (mode === 'disable') return false;
  const { sslrootcert, sslcert, sslkey } = given;
  return {
    ...(sslrootcert === undefined ? {} : { ca: readPem(name, sslrootcert) }),
    ...(sslcert === undefined ? {} : { cert: readPem(name, sslcert) }),
    ...(sslkey === undefined ? {} : { key: readPem(name, sslkey) }),
    rejectUnauthorized: mode !== 'require',
    // As in libpq, verify-ca checks the signature of the authority but not the host name.
    ...(mode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
  };
}

function readPem(name: string, given: string): string {
  const file = settingPath(given);
  try {
    return readPlainFile(file).toString('utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw wrong(name, code ? `${file} cannot be read (${code})` : message);
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
