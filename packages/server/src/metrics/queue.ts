import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { RefusalCause, SchedulerObserver } from '../services/scheduling/ports.ts';

/** Upper bounds of waits, seconds. */
const buckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Clients whose waiting pictures are reported by rank; their names are not. */
const ranks = 3;

const causes: readonly RefusalCause[] = ['overload', 'deadline', 'queue', 'displaced'];

/** Adds the metrics of the queue before the engine. */
export function queueMetrics(registry: Registry): SchedulerObserver {
  const waits = new Histogram({
    name: 'wajah_queue_wait_seconds',
    help: 'Time that a picture waited for a worker',
    labelNames: ['priority'],
    buckets,
    registers: [registry],
  });
  const refused = new Counter({
    name: 'wajah_queue_refused_total',
    help: 'Pictures and calls refused with 503 because of the load, by cause',
    labelNames: ['cause'],
    registers: [registry],
  });
  for (const cause of causes) refused.inc({ cause }, 0);
  for (const priority of ['recognition', 'enrolment']) waits.zero({ priority });
  return {
    began: ({ priority }, waitedMs) => waits.observe({ priority }, waitedMs / 1000),
    refused: (cause) => refused.inc({ cause }),
  };
}

/** Adds the pictures that wait, by rank of their client. @param waiting pictures of each client, most first */
export function waitingMetrics(registry: Registry, waiting: () => readonly number[]): void {
  const clients: Gauge = new Gauge({
    name: 'wajah_queue_clients_waiting',
    help: 'Clients that have pictures waiting for a worker',
    registers: [registry],
    collect: () => clients.set(waiting().length),
  });
  const pictures: Gauge = new Gauge({
    name: 'wajah_queue_client_waiting',
    help: 'Pictures waiting for a worker, of the clients with most of them, by rank',
    labelNames: ['rank'],
    registers: [registry],
    collect() {
      const counts = waiting();
      for (let i = 0; i < ranks; i++) pictures.set({ rank: String(i + 1) }, counts[i] ?? 0);
      pictures.set(
        { rank: 'other' },
        counts.slice(ranks).reduce((sum, count) => sum + count, 0),
      );
    },
  });
}
