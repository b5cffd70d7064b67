import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/support/temporary.ts';
import { openWithDriver } from './driver.ts';
import { codeOf, noPassword, toStoreError } from './postgres.ts';

it('a file that cannot be opened is told by the code of SQLite', () => {
  const file = join(temporaryDirectory(), 'none', 'wajah.db');
  expect(() => openWithDriver(file)).toThrow(expect.objectContaining({ code: 'SQLITE_CANTOPEN' }));
});

it.each([
  ['timeout exceeded when trying to connect', 'ETIMEDOUT'],
  ['Connection terminated due to connection timeout', 'ETIMEDOUT'],
  ['Query read timeout', 'ETIMEDOUT'],
  ['Connection terminated unexpectedly', 'ECONNRESET'],
  ['Client has encountered a connection error and is not queryable', 'ECONNRESET'],
])('what PostgreSQL’s driver only words is told by a code: %s', (words, code) => {
  expect(codeOf(new Error(words))).toBe(code);
  expect(toStoreError(new Error(words))).toMatchObject({ message: expect.stringContaining(code) });
});

it('a password that is asked for and not given is no outage', () => {
  const error = new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string');
  expect([codeOf(error), toStoreError(error)]).toEqual([noPassword, error]);
});
