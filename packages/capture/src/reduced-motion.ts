/** The part of a window that is needed, which tests outside of a browser lack. */
interface Media {
  readonly matchMedia?: (query: string) => { readonly matches: boolean };
}

/** Whether the person prefers reduced motion: no lights are shown then. */
export function prefersNoFlashes(): boolean {
  return (globalThis as Media).matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false;
}
