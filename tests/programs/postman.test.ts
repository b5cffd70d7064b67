import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endpointList } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { drawnFace } from '../../packages/engine/test/drawn/drawn-face.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { startTestApp } from '../../packages/server/test/support/test-app.ts';
import { npmTool } from '../support/npm-tool.ts';
import { root } from '../support/sources.ts';

const file = join(root, 'docs/postman.json');
const text = readFileSync(file, 'utf8');

interface Item {
  readonly name: string;
  readonly item?: readonly Item[];
}

const requestsOf = (items: readonly Item[]): string[] =>
  items.flatMap(({ name, item }) => (item === undefined ? [name] : requestsOf(item)));

describe('the collection of Postman', () => {
  it('has every endpoint, and defines each variable that it uses', () => {
    const { item, variable } = JSON.parse(text) as { item: Item[]; variable: { key: string }[] };
    expect(requestsOf(item.slice(1)).sort()).toEqual(endpointList.map(({ id }) => id).sort());
    const used = new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name));
    expect(variable.map(({ key }) => key).sort()).toEqual([...used].sort());
  });

  it('is run by newman from the login to the erasure', async () => {
    const folder = npmTool({ newman: '6.2.2' });
    if (folder === undefined) return console.info('not run: newman could not be installed');
    const server = await startTestApp();
    const url = await server.app.listen({ host: '127.0.0.1', port: 0 });
    const { id, password } = await server.client();
    const working = temporaryDirectory();
    writeFileSync(join(working, 'face.jpg'), await drawnFace({ person: 'ani' }));
    const given = [`url=${url}`, `client=${id}`, `password=${password}`];
    const command = ['run', file, '--folder', 'First steps', '--working-dir', working];
    const newman = join(folder, 'node_modules/newman/bin/newman.js');
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...[newman, ...command, '--reporters', 'json,cli', '--color', 'off'],
      ...['--reporter-json-export', join(working, 'run.json')],
      ...given.flatMap((one) => ['--env-var', one]),
    ]).catch((error: { stdout?: string }) => ({ stdout: `failed: ${error.stdout ?? String(error)}` }));
    expect(stdout).not.toMatch(/^failed/);
    const { run } = JSON.parse(readFileSync(join(working, 'run.json'), 'utf8'));
    expect(run.stats.assertions).toEqual({ total: 10, pending: 0, failed: 0 });
  });
});
