/** Calls `create` at the first call and returns the same value or promise from then on. */
export function memoize<T>(create: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= create();
    return value;
  };
}
