import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { long } from '../../packages/server/test/support/long.ts';
import { cleanUp, serve, temporaryDirectory } from '../support/program.ts';

afterAll(cleanUp);

/** What `node --import` loads: an SDK that writes the name of each span into a file. */
function sdk(file: string): string {
  const { resolve } = createRequire(import.meta.url);
  const module = (name: string) => JSON.stringify(pathToFileURL(resolve(name)).href);
  return `
    import { appendFileSync } from 'node:fs';
    import api from ${module('@opentelemetry/api')};
    import sdk from ${module('@opentelemetry/sdk-trace-base')};
    const exporter = {
      export(spans, done) {
        for (const { name } of spans) appendFileSync(${JSON.stringify(file)}, name + '\\n');
        done({ code: 0 });
      },
      shutdown: async () => {},
    };
    const spanProcessors = [new sdk.SimpleSpanProcessor(exporter)];
    api.trace.setGlobalTracerProvider(new sdk.BasicTracerProvider({ spanProcessors }));`;
}

it.skipIf(!long)('a server makes spans when an SDK is imported before it', async () => {
  const folder = temporaryDirectory();
  const file = join(folder, 'spans');
  writeFileSync(file, '');
  writeFileSync(join(folder, 'sdk.mjs'), sdk(file));
  const imported = `--import ${pathToFileURL(join(folder, 'sdk.mjs')).href}`;
  const { url } = await serve({ WAJAH_DATA_DIR: join(folder, 'data'), NODE_OPTIONS: imported });
  await fetch(`${url}/ready`);
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('GET /ready');
});
