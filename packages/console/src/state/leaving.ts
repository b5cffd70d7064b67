/** Lets the browser ask before the tab is closed or reloaded. @returns a function that ends it */
export function askBeforeLeaving(): () => void {
  const ask = (event: Event) => event.preventDefault();
  addEventListener('beforeunload', ask);
  return () => removeEventListener('beforeunload', ask);
}
