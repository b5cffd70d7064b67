import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** A registry of npm, on this machine, that has the packages of a folder. */
export interface NpmRegistry {
  readonly url: string;
  close(): void;
}

/** Answers what npm asks to install packages: the description of a package with its one version, and its file. */
export async function npmRegistry(folder: string): Promise<NpmRegistry> {
  const answers = new Map<string, string | Buffer>();
  const server = createServer(({ url = '' }, response) => {
    const answer = answers.get(decodeURIComponent(url));
    response.writeHead(answer === undefined ? 404 : 200).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  for (const file of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, file));
    const text = execFileSync('tar', ['-xzOf', join(folder, file), 'package/package.json'], {
      encoding: 'utf8',
    });
    const manifest = JSON.parse(text) as { readonly name: string; readonly version: string };
    const { name, version } = manifest;
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    const versions = { [version]: { ...manifest, dist: { tarball: `${url}${file}`, integrity } } };
    answers.set(`/${name}`, JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
    answers.set(`/${file}`, bytes);
  }
  return { url, close: () => server.close() };
}
