import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { endpoints } from '@wajah/contract';
import { expect, it } from 'vitest';
import { drawnFace } from '../../packages/engine/test/drawn/drawn-face.ts';
import { serveHttp } from '../../packages/server/test/support/http-server.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { call, type Json } from '../support/enrolling.ts';
import { firstClient, serve } from '../support/program.ts';

/** A span of OTLP/HTTP in JSON, as far as this test reads it. */
interface Span {
  readonly name: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string }[];
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}

interface Traces {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
}

/** A receiver of OTLP/HTTP. */
async function startCollector() {
  const spans: Span[] = [];
  const { url } = await serveHttp(async (request, response) => {
    const { resourceSpans } = (await json(request)) as Traces;
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  return { spans, url: `${url}/v1/traces` };
}

/** What `node --import` loads: an SDK that sends each span to a collector. */
function sdk(url: string): string {
  const { resolve } = createRequire(import.meta.url);
  const module = (name: string) => JSON.stringify(pathToFileURL(resolve(name)).href);
  return `
    import api from ${module('@opentelemetry/api')};
    import sdk from ${module('@opentelemetry/sdk-trace-base')};
    import otlp from ${module('@opentelemetry/exporter-trace-otlp-http')};
    const exporter = new otlp.OTLPTraceExporter({ url: ${JSON.stringify(url)} });
    const spanProcessors = [new sdk.SimpleSpanProcessor(exporter)];
    api.trace.setGlobalTracerProvider(new sdk.BasicTracerProvider({ spanProcessors }));`;
}

it('a collector receives a span for each request and stage, without pictures and people', async () => {
  const [folder, collector] = [temporaryDirectory(), await startCollector()];
  writeFileSync(join(folder, 'sdk.mjs'), sdk(collector.url));
  const imported = `--import ${pathToFileURL(join(folder, 'sdk.mjs')).href}`;
  const server = await serve({ WAJAH_DATA_DIR: join(folder, 'data'), NODE_OPTIONS: imported });
  const { token, password } = await firstClient(server);
  const image = (await drawnFace({ person: 'ani' })).toString('base64');
  const person = { user_id: 'zzqx ani', user_name: 'Zzqx Ani' };
  const sent = ({ path }: { path: string }, fields: Json) => call(server.url, token, path, fields);
  const listed = await fetch(server.url + endpoints.listGalleries.path, {
    headers: { accesstoken: token },
  });
  const [facegallery_id] = ((await listed.json()) as { facegallery_id: string[] }).facegallery_id;
  expect(await sent(endpoints.enrolFace, { ...person, facegallery_id, image })).toMatchObject({
    status: '200',
  });
  expect(await sent(endpoints.identifyFace, { facegallery_id, image })).toMatchObject({ status: '200' });
  expect((await sent(endpoints.verifyFace, { user_id: 'zzqx', facegallery_id, image })).status).not.toBe(
    '200',
  );
  const named = (path: string) => collector.spans.find(({ name }) => name === `POST ${path}`);
  await expect.poll(() => named(endpoints.verifyFace.path)).toBeDefined();
  const inside = ({ spanId }: Span) => collector.spans.filter(({ parentSpanId }) => parentSpanId === spanId);
  const request = named(endpoints.enrolFace.path)!;
  await expect
    .poll(() =>
      inside(request)
        .map(({ name }) => name)
        .sort(),
    )
    .toEqual(['analysis', 'queue']);
  const analysis = inside(request).find(({ name }) => name === 'analysis')!;
  const stages = () => inside(analysis).map(({ name }) => name);
  await expect
    .poll(stages)
    .toEqual(expect.arrayContaining(['decode', 'detector', 'mesh', 'embedder', 'rest']));
  expect(new Set(stages()).size).toBe(stages().length);
  const keys = new Set(collector.spans.flatMap(({ attributes }) => attributes.map(({ key }) => key)));
  expect([...keys].sort()).toEqual([
    ...['http.request.method', 'http.response.status_code', 'http.route', 'wajah.status', 'wajah.trx_id'],
  ]);
  const all = JSON.stringify(collector.spans).toLowerCase();
  const secrets = ['zzqx', facegallery_id!, token, password, image.slice(0, 60), image.slice(600, 660)];
  expect(secrets.filter((secret) => all.includes(secret.toLowerCase()))).toEqual([]);
});
