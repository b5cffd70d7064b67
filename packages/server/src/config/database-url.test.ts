import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../test/support/temporary.ts';
import { OperatorError } from '../errors.ts';
import { maskDatabaseUrl, parseDatabaseUrl } from './database-url.ts';

const parse = (url: string) => parseDatabaseUrl('WAJAH_DATABASE_URL', url);

describe('a database URL', () => {
  it('names user, password, hosts and database', () => {
    expect(parse('postgres://wajah:s%40e%2Fc@db.internal/faces')).toEqual({
      hosts: [{ host: 'db.internal', port: 5432 }],
      user: 'wajah',
      password: 's@e/c',
      database: 'faces',
      tls: false,
    });
    const { hosts, password } = parse('postgresql://w@a:1,b,[::1]:3/f');
    expect(password).toBeUndefined();
    expect(hosts).toEqual([
      { host: 'a', port: 1 },
      { host: 'b', port: 5432 },
      { host: '::1', port: 3 },
    ]);
    expect(parse('postgres://w@/f?host=/run/postgresql').hosts).toEqual([
      { host: '/run/postgresql', port: 5432 },
    ]);
  });

  it('sets TLS as libpq does', () => {
    const file = join(temporaryDirectory(), 'ca.pem');
    writeFileSync(file, 'PEM');
    expect(parse('postgres://w@h/f?sslmode=require').tls).toEqual({ rejectUnauthorized: false });
    expect(parse(`postgres://w@h/f?sslmode=verify-full&sslrootcert=${file}`).tls).toEqual({
      ca: 'PEM',
      rejectUnauthorized: true,
    });
    expect(parse('postgres://w@h/f?sslmode=verify-ca').tls).toHaveProperty('checkServerIdentity');
  });

  it.each([
    ['mysql://w@h/f', 'it does not have the form'],
    ['postgres://h/f', 'it names no user'],
    ['postgres://w@/f', 'it names no host'],
    ['postgres://w@h:99999/f', 'a host does not have the form'],
    ['postgres://w@h/f?sslmode=maybe', 'sslmode is not known'],
    ['postgres://w@h/f?pool=3', 'the parameter pool is not known'],
    ['postgres://w:%zz@h/f', 'a % is not followed'],
    ['postgres://w@h/f?sslmode=verify-full&sslrootcert=/nowhere', '/nowhere cannot be read (ENOENT)'],
  ])('%s is refused', (url, reason) => {
    expect(() => parse(url)).toThrow(OperatorError);
    expect(() => parse(url)).toThrow(`WAJAH_DATABASE_URL: ${reason}`);
  });

  it('is masked without its password, and otherwise unchanged', () => {
    expect(maskDatabaseUrl('postgres://w:secret@h/f?sslmode=require')).toBe(
      'postgres://w:***@h/f?sslmode=require',
    );
    expect(maskDatabaseUrl('postgres://w@h/f')).toBe('postgres://w@h/f');
    expect(maskDatabaseUrl('secret')).toBe('(hidden)');
    const any = fc.string({ unit: 'binary', minLength: 1 });
    const property = fc.property(any, any, any, (user, password, database) => {
      const [u, p, d] = [user, password, database].map(encodeURIComponent);
      const url = `postgres://${u}:${p}@h/${d}`;
      expect(parse(url)).toMatchObject({ user, password, database });
      expect(maskDatabaseUrl(url)).toBe(`postgres://${u}:***@h/${d}`);
    });
    fc.assert(property, { numRuns: 200 });
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          parse(text);
        } catch (error) {
          expect(error).toBeInstanceOf(OperatorError);
        }
      }),
    );
  });
});
