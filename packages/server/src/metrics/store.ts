import { Counter, Histogram, type Registry } from 'prom-client';
import { StoreReadOnly, StoreUnavailable } from '../errors.ts';
import type { Store } from '../store/ports/store.ts';

/** Upper bounds, seconds: a durable write takes 0.0002 to 0.01. */
const buckets = [0.0005, 0.001, 0.0025, 0.01, 0.05, 0.25, 1, 5];

/**
 * A store whose operations are measured: their durations and errors. Parts without functions are passed on as they are.
 */
export function measuredStore<S extends Pick<Store, 'part'>>(store: S, registry: Registry): S {
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
  const measured = (name: string, part: object, method: Method): Method => {
    return (...args) => {
      const began = performance.now();
      const result = method.apply(part, args);
      if (!(result instanceof Promise)) return result;
      return result
        .finally(() => seconds.observe({ part: name }, (performance.now() - began) / 1000))
        .catch((error: unknown) => {
          errors.inc({ kind: kindOf(error) });
          throw error;
        });
    };
  };
  const measuredPart = <Part extends object>(name: string, part: Part): Part => {
    const methods = Object.entries(part).map(([key, value]) => [
      key,
      typeof value === 'function' ? measured(name, part, value as Method) : value,
    ]);
    return Object.fromEntries(methods) as Part;
  };
  const parts = Object.entries(store).map(([name, part]) => [
    name,
    typeof part === 'object' && part !== null ? measuredPart(name, part) : part,
  ]);
  const part: Store['part'] = (name, make) => measuredPart(name, store.part(name, make));
  return { ...(Object.fromEntries(parts) as S), part };
}

type Method = (...args: unknown[]) => unknown;

function kindOf(error: unknown): 'unavailable' | 'read_only' | 'defect' {
  if (error instanceof StoreReadOnly) return 'read_only';
  return error instanceof StoreUnavailable ? 'unavailable' : 'defect';
}
