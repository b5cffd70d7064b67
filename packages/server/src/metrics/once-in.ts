/** A measurement is used for this long, milliseconds. */
const freshMs = 1000;

/** @returns `measure`, whose last result is used again for a second */
export function onceIn<T>(measure: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly value: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (!last || now - last.at > freshMs) last = { at: now, value: measure() };
    return last.value;
  };
}
