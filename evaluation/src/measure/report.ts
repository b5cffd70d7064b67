/**
 * Replaces what stands between `<!-- measured: name -->` and `<!-- end: name -->` in a page.
 * @throws Error when the page has no such block
 */
export function replaceBlock(page: string, name: string, text: string): string {
  const start = `<!-- measured: ${name} -->`;
  const end = `<!-- end: ${name} -->`;
  const from = page.indexOf(start);
  const to = page.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`the page has no block "${name}" (${start} … ${end})`);
  return `${page.slice(0, from + start.length)}\n\n${text}\n\n${page.slice(to)}`;
}
