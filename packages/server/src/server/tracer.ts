import type { Tracer as SdkTracer, Span, SpanOptions } from '@opentelemetry/api';
import type { AnalysedPicture, Tracer } from '../services/caller.ts';
import { version } from '../version.ts';

/** Where `@opentelemetry/api` 1 keeps what an SDK has registered. */
const registered = Symbol.for('opentelemetry.js.api.1');

/**
 * The tracer of an OpenTelemetry SDK that the process was started with (`node --import`).
 * @returns null without one; then nothing of OpenTelemetry is loaded
 */
export async function openTracer(): Promise<Tracer | null> {
  if (!(registered in globalThis)) return null;
  const { context, propagation, SpanKind, SpanStatusCode, trace } = await import('@opentelemetry/api');
  const tracer = trace.getTracer('wajah', version);
  return {
    begin(method, headers, next) {
      const outer = context.active();
      // An instrumentation of HTTP has read the headers already.
      const parent = trace.getSpan(outer) ? outer : propagation.extract(outer, headers);
      const attributes = { 'http.request.method': method };
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
      const inside = trace.setSpan(parent, span);
      context.with(inside, next);
      const child = (name: string, options: SpanOptions, of = span) =>
        tracer.startSpan(name, options, trace.setSpan(parent, of));
      return {
        analysed: (picture) => addPicture(child, picture),
        end({ route, trxId, status, http }) {
          if (route !== null) span.updateName(`${method} ${route}`).setAttribute('http.route', route);
          span.setAttributes({ 'wajah.trx_id': trxId, 'wajah.status': status });
          if (http !== null) span.setAttribute('http.response.status_code', http);
          if (http === null || http >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
  };
}

type Child = (name: string, options: SpanOptions, of?: Span) => ReturnType<SdkTracer['startSpan']>;

/** The stages of an analysis do not overlap: they are placed one after the other, the last one before its end. */
function addPicture(child: Child, { askedAt, beganAt, endedAt, stages }: AnalysedPicture): void {
  child('queue', { startTime: askedAt }).end(beganAt);
  const analysis = child('analysis', { startTime: beganAt });
  const times = Object.entries(stages);
  let at = endedAt - times.reduce((sum, [, ms]) => sum + ms, 0);
  for (const [stage, ms] of times) {
    child(stage, { startTime: at }, analysis).end(at + ms);
    at += ms;
  }
  analysis.end(endedAt);
}
