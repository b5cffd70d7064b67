import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveHttp } from '../../packages/server/test/support/http-server.ts';

/**
 * A registry of npm on this machine with the packages of a folder, until the test or file ends: it answers what npm asks to
 * install packages, the description of a package with its one version, and its file. @returns its URL
 */
export async function npmRegistry(folder: string): Promise<string> {
  const answers = new Map<string, string | Buffer>();
  const { url } = await serveHttp(({ url = '' }, response) => {
    const answer = answers.get(decodeURIComponent(url));
    response.writeHead(answer === undefined ? 404 : 200).end(answer);
  });
  for (const file of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, file));
    const text = execFileSync('tar', ['-xzOf', join(folder, file), 'package/package.json'], {
      encoding: 'utf8',
    });
    const manifest = JSON.parse(text) as { readonly name: string; readonly version: string };
    const { name, version } = manifest;
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    const versions = { [version]: { ...manifest, dist: { tarball: `${url}/${file}`, integrity } } };
    answers.set(`/${name}`, JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
    answers.set(`/${file}`, bytes);
  }
  return `${url}/`;
}
