import { snakeCase } from '../../terminal.ts';

/** Indented JSON with keys in snake_case, also those of objects inside. */
export function plainJson(value: unknown): string {
  return JSON.stringify(deep(value), null, 2);
}

function deep(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(deep);
  if (typeof value !== 'object' || value === null) return value;
  return snakeCase(Object.fromEntries(Object.entries(value).map(([name, one]) => [name, deep(one)])));
}
