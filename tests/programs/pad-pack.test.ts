// Left out of npm test, unless it is named.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { definitionOf } from '../../packages/engine/src/packs/catalog.ts';
import { digest } from '../../packages/engine/src/packs/files.ts';
import { padNotice } from '../../packages/server/src/config/notices.ts';
import { serveHttp } from '../../packages/server/test/support/http-server.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { firstClient, serve } from '../support/program.ts';
import { root } from '../support/sources.ts';

/** The networks are not part of the repository. */
const models = join(root, '../shared/models');

/** Settings of a first start that may fetch the pack, whose files are at an address of this machine. */
function fetching(url: string) {
  const folder = temporaryDirectory();
  const preload = join(folder, 'preload.mjs');
  writeFileSync(
    preload,
    `const { fetch } = globalThis;
globalThis.fetch = (address, ...rest) =>
  fetch(String(address).replace('https://raw.githubusercontent.com', ${JSON.stringify(url)}), ...rest);\n`,
  );
  return {
    WAJAH_DATA_DIR: join(folder, 'data'),
    WAJAH_PAD_PACK: 'auto',
    NODE_OPTIONS: `--import=${pathToFileURL(preload)}`,
  };
}

describe('a first start', () => {
  it.skipIf(!existsSync(models))('fetches the PAD pack and runs with it', async () => {
    const files = new Map(
      readdirSync(models).map((name) => [digest(readFileSync(join(models, name))), name]),
    );
    const names = Object.values((await definitionOf('pad')).networks).map((network) => {
      const { url, sha256 } = network!.source as { url: string; sha256: string };
      return [new URL(url).pathname, files.get(sha256)!] as const;
    });
    const asked: string[] = [];
    const { url } = await serveHttp(({ url: path = '' }, response) => {
      asked.push(path);
      response.end(readFileSync(join(models, new Map(names).get(path)!)));
    });
    const settings = fetching(url);
    const server = await serve(settings);
    const { token } = await firstClient(server);
    const status = await fetch(`${server.url}/system-api/get-status`, { headers: { accesstoken: token } });
    expect(await status.json()).toMatchObject({ pad: { pack: 'pad', notice: null } });
    expect(await (await fetch(`${server.url}/ready`)).json()).toMatchObject({ pad: 'pad' });
    const { out, err } = await server.stop('SIGTERM');
    const line =
      'The model pack pad of presentation attack detection was fetched: 3.7 MB, Apache-2.0, from raw.githubusercontent.com.';
    expect(out).toContain(line);
    expect(err).toContain(`${line}\n`);
    expect(err).not.toContain(padNotice);
    expect(asked).toEqual(names.map(([path]) => path));

    const again = await serve(settings);
    expect((await again.stop('SIGTERM')).out).not.toContain('was fetched');
    expect(asked).toHaveLength(names.length);
  });

  it('goes on without it where its files do not come, and no later one asks', async () => {
    let asked = 0;
    const { url } = await serveHttp((_, response) => {
      asked++;
      response.end('a captive portal');
    });
    const settings = fetching(url);
    const { err } = await (await serve(settings)).stop('SIGTERM');
    expect(err).toMatch(/^Warning: The model pack pad was not fetched, .*models pull pad"\.$/m);
    expect(err).toContain(`Warning: ${padNotice}\n`);
    expect(asked).toBeGreaterThan(0);
    const before = asked;

    const later = await (await serve(settings)).stop('SIGTERM');
    expect(later.err).not.toContain('was not fetched');
    expect(later.err).toContain(`Warning: ${padNotice}\n`);
    expect(asked).toBe(before);
  });
});
