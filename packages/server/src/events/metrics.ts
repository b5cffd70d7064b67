import { Counter, Histogram, type Registry } from 'prom-client';

export type EventMetrics = ReturnType<typeof createEventMetrics>;

/** Upper bounds of the latency of requests, seconds: the analysis of a picture takes 0.05 to 1. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metrics that events count. Label values are from fixed sets only. */
export function createEventMetrics(registry: Registry) {
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  return {
    events: counter('wajah_events_total', 'Business events by kind and outcome', 'event', 'outcome'),
    livenessFailures: counter(
      'wajah_liveness_failures_total',
      'Failed liveness checks by way and reason; one with several reasons counts for each',
      'way',
      'reason',
    ),
    damagedTemplates: counter(
      'wajah_damaged_templates_total',
      'Stored templates that did not open and are left out of searches, each counted once since the start',
    ),
    lostRecords: counter('wajah_audit_records_lost_total', 'Audit records that could not be written'),
    /** Calls refused as busy since the start, which the status of the server tells. */
    refusedAsBusy: { count: 0 },
    requestSeconds: new Histogram({
      name: 'wajah_http_request_duration_seconds',
      help: 'Time from the head of a request to the end of its answer',
      labelNames: ['route', 'status'],
      buckets,
      registers: [registry],
    }),
  };
}
