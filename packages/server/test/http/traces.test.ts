import { context, propagation, trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { endpoints } from '@wajah/contract';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { openTestEngine } from '../../../engine/test/support/shared-engine.ts';
import { openTracer } from '../../src/server/tracer.ts';
import { drawPictures, startTestApp } from '../support/test-app.ts';

afterEach(() => {
  for (const api of [trace, context, propagation]) api.disable();
});

/** Traces of an SDK as `node --import` registers one; the caller's trace is read from a header `parent`. */
function registerSdk() {
  const spans = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
  );
  propagation.setGlobalPropagator({
    inject: () => {},
    extract: (outer, headers) => {
      const [traceId = '', spanId = ''] = String((headers as Record<string, unknown>)['parent'] ?? '').split(
        '-',
      );
      return trace.setSpanContext(outer, { traceId, spanId, traceFlags: 1, isRemote: true });
    },
    fields: () => [],
  });
  return spans;
}

const milliseconds = ([seconds, nanoseconds]: [number, number]) => seconds * 1000 + nanoseconds / 1e6;

it('a request is a span in the trace of its caller, with the stages of its picture inside', async () => {
  const spans = registerSdk();
  // Of its own: a result that the shared engine kept has the times of an earlier analysis.
  const engine = await openTestEngine();
  onTestFinished(() => engine.close());
  const server = await startTestApp({}, { tracer: await openTracer(), engine });
  const client = await server.client();
  const { ani } = await drawPictures();
  const parent = '0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331';
  await server.app.inject({
    method: 'POST',
    url: endpoints.detectFaces.path,
    headers: { accesstoken: client.token, parent },
    payload: { image: ani, trx_id: 'traced' },
  });
  const named = (name: string) => spans.getFinishedSpans().find((span) => span.name === name);
  await expect.poll(() => named(`POST ${endpoints.detectFaces.path}`)).toBeDefined();
  const request = named(`POST ${endpoints.detectFaces.path}`)!;
  expect(request.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': endpoints.detectFaces.path,
    'http.response.status_code': 200,
    'wajah.status': '200',
    'wajah.trx_id': 'traced',
  });
  expect([request.spanContext().traceId, request.parentSpanContext?.spanId]).toEqual(parent.split('-'));
  const inside = (outer: ReadableSpan) =>
    spans.getFinishedSpans().filter((span) => span.parentSpanContext?.spanId === outer.spanContext().spanId);
  expect(inside(request).map(({ name }) => name)).toEqual(['queue', 'analysis']);
  const analysis = named('analysis')!;
  const stages = inside(analysis);
  expect(stages.map(({ name }) => name)).toEqual(expect.arrayContaining(['decode', 'detector', 'rest']));
  for (const stage of stages) {
    expect(milliseconds(stage.startTime)).toBeGreaterThanOrEqual(milliseconds(analysis.startTime) - 1);
    expect(milliseconds(stage.endTime)).toBeLessThanOrEqual(milliseconds(analysis.endTime) + 1);
  }
});

it('a refusal has its status, and nothing of the request', async () => {
  const spans = registerSdk();
  const server = await startTestApp({}, { tracer: await openTracer() });
  const client = await server.client();
  await client.call(endpoints.listFaces, { facegallery_id: 'secret gallery' });
  await expect.poll(() => spans.getFinishedSpans().length).toBe(1);
  const [span] = spans.getFinishedSpans();
  expect(span?.attributes).toMatchObject({ 'wajah.status': '416', 'http.response.status_code': 404 });
  expect(JSON.stringify(span?.attributes)).not.toContain('secret gallery');
});

it('there is no tracer without an SDK', async () => {
  const key = Symbol.for('opentelemetry.js.api.1');
  const kept = Object.getOwnPropertyDescriptor(globalThis, key);
  if (kept) delete (globalThis as Record<symbol, unknown>)[key];
  try {
    expect(await openTracer()).toBeNull();
  } finally {
    if (kept) Object.defineProperty(globalThis, key, kept);
  }
});
