import { Counter, Histogram, type Registry } from 'prom-client';
import type { StoreObserver } from './measured-store.ts';

/** Upper bounds, seconds: a durable write takes 0.0002 to 0.01. */
const buckets = [0.0005, 0.001, 0.0025, 0.01, 0.05, 0.25, 1, 5];

/** Adds the durations and errors of the store. */
export function storeMetrics(registry: Registry): StoreObserver {
  const seconds = new Histogram({
    name: 'wajah_store_operation_duration_seconds',
    help: 'Time of an operation of the store, waits for a connection and for the disk included',
    labelNames: ['part'],
    buckets,
    registers: [registry],
  });
  const errors = new Counter({
    name: 'wajah_store_errors_total',
    help: 'Operations of the store that failed: unavailable, read_only (or the disk is full), defect',
    labelNames: ['kind'],
    registers: [registry],
  });
  for (const kind of ['unavailable', 'read_only', 'defect']) errors.inc({ kind }, 0);
  return {
    done: (part, ms) => seconds.observe({ part }, ms / 1000),
    failed: (kind) => errors.inc({ kind }),
  };
}
