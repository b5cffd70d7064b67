import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../test/support/temporary.ts';
import { introduceFirstClient, openBrowser } from './first-client.ts';

/** What people read of the first client. */
function introduced(showsNotes: boolean, dataDir: string, link: string): string {
  let notes = '';
  const terminal = {
    out() {},
    note: (text: string) => {
      notes += text;
    },
    showsNotes,
    confirm: async () => false,
    readLine: async () => '',
  };
  const client = { clientId: 'demo', password: 'p', accessToken: 'a.b.c', link };
  introduceFirstClient(terminal, client, { url: 'http://127.0.0.1:1', dataDir });
  return notes;
}

it('prints the secrets on a terminal, and writes no file', () => {
  const dataDir = temporaryDirectory();
  const notes = introduced(true, dataDir, 'http://127.0.0.1:1/console#/sign-in/demo/c');
  expect(notes).toMatch(/password +p\n +access token +a\.b\.c\n/);
  expect(notes).toContain('\n  http://127.0.0.1:1/console#/sign-in/demo/c\n');
  expect(notes).toContain("curl -s http://127.0.0.1:1/face-api/client/get-counters -H 'Accesstoken: a.b.c'");
  expect(readdirSync(dataDir)).toEqual([]);
});

it('a shell reads the file of secrets by the command that is printed, whatever their names', () => {
  const dataDir = join(temporaryDirectory(), "it's $HOME");
  mkdirSync(dataDir);
  const link = "http://127.0.0.1:1/it's/console";
  const [, source] = /^ {2}(\. .*) && curl /m.exec(introduced(false, dataDir, link))!;
  const read = execFileSync('sh', ['-c', `${source} && printf '%s %s' "$TOKEN" "$SIGN_IN"`], {
    encoding: 'utf8',
  });
  expect(read).toBe(`a.b.c ${link}`);
});

it('opens the browser without the link among the arguments, which other users can read', async () => {
  const [programs, dataDir] = [temporaryDirectory(), temporaryDirectory()];
  const record = join(programs, 'arguments');
  for (const name of ['xdg-open', 'open'])
    writeFileSync(
      join(programs, name),
      `#!/bin/sh\necho "$@" > '${record}.new' && mv '${record}.new' '${record}'\n`,
      {
        mode: 0o755,
      },
    );
  const path = process.env['PATH'];
  process.env['PATH'] = `${programs}:${path}`;
  try {
    openBrowser('http://127.0.0.1:1/console#/sign-in/demo/secret-code', dataDir);
  } finally {
    process.env['PATH'] = path;
  }
  await expect.poll(() => existsSync(record)).toBe(true);
  const page = join(dataDir, 'sign-in.html');
  expect(readFileSync(record, 'utf8')).toBe(`${page}\n`);
  expect(statSync(page).mode & 0o777).toBe(0o600);
  expect(readFileSync(page, 'utf8')).toContain('url=http://127.0.0.1:1/console#/sign-in/demo/secret-code"');
});
