import { StoreReadOnly, StoreUnavailable } from '../errors.ts';

/** Receives what a store does. It must not throw. */
export interface StoreObserver {
  /** @param part of the store, such as `faces` @param ms from the call to its result or error */
  done(part: string, ms: number): void;
  failed(kind: 'unavailable' | 'read_only' | 'defect'): void;
}

/** A store whose operations are observed. Parts without functions are passed on as they are. */
export function measuredStore<S extends object>(store: S, observer: StoreObserver): S {
  const parts = Object.entries(store).map(([name, part]) => [name, measuredPart(name, part, observer)]);
  return Object.fromEntries(parts) as S;
}

function measuredPart(name: string, part: unknown, observer: StoreObserver): unknown {
  if (typeof part !== 'object' || part === null) return part;
  const methods = Object.entries(part).map(([key, value]) => [
    key,
    typeof value === 'function' ? measured(name, part, value as Method, observer) : value,
  ]);
  return Object.fromEntries(methods);
}

type Method = (...args: unknown[]) => unknown;

function measured(name: string, part: object, method: Method, observer: StoreObserver): Method {
  return (...args) => {
    const began = performance.now();
    const result = method.apply(part, args);
    if (!(result instanceof Promise)) return result;
    return result.then(
      (value) => {
        observer.done(name, performance.now() - began);
        return value;
      },
      (error: unknown) => {
        observer.done(name, performance.now() - began);
        observer.failed(kindOf(error));
        throw error;
      },
    );
  };
}

function kindOf(error: unknown): 'unavailable' | 'read_only' | 'defect' {
  if (error instanceof StoreReadOnly) return 'read_only';
  return error instanceof StoreUnavailable ? 'unavailable' : 'defect';
}
