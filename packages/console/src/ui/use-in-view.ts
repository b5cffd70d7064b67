import { useEffect, useRef } from 'preact/hooks';

/** Scrolls an element to the top of the window when its subject changes and it begins in the lower half of the window. */
export function useInView(subject: unknown) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const top = element.current?.getBoundingClientRect().top ?? 0;
    if (top > innerHeight / 2) element.current?.scrollIntoView();
  }, [subject]);
  return element;
}
