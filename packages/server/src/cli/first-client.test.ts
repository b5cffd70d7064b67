import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../test/support/temporary.ts';
import { introduceFirstClient } from './first-client.ts';

it('prints the secrets on a terminal, and writes no file', () => {
  const dataDir = temporaryDirectory();
  let notes = '';
  const terminal = {
    out() {},
    note: (text: string) => {
      notes += text;
    },
    showsNotes: true,
    confirm: async () => false,
    readLine: async () => '',
  };
  const client = {
    clientId: 'demo',
    password: 'p',
    accessToken: 'a.b.c',
    link: 'http://127.0.0.1:1/console#/sign-in/demo/c',
  };
  introduceFirstClient(terminal, client, { url: 'http://127.0.0.1:1', dataDir });
  expect(notes).toMatch(/password +p\n +access token +a\.b\.c\n/);
  expect(notes).toContain('\n  http://127.0.0.1:1/console#/sign-in/demo/c\n');
  expect(notes).toContain("curl -s http://127.0.0.1:1/face-api/client/get-counters -H 'Accesstoken: a.b.c'");
  expect(readdirSync(dataDir)).toEqual([]);
});
