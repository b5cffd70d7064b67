/** `facegallery_id` → `facegalleryId`. */
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** `T` with every field name in camelCase, in nested objects and lists too. */
export type CamelCased<T> = T extends readonly (infer Item)[]
  ? CamelCased<Item>[]
  : T extends object
    ? { [Field in keyof T as Field extends string ? CamelCase<Field> : Field]: CamelCased<T[Field]> }
    : T;

/**
 * Copies a JSON value with its field names converted from snake_case to camelCase, at any depth. Values are unchanged.
 *
 * @example camelCased({ facegallery_id: 'a_b' }); // { facegalleryId: 'a_b' }
 */
export function camelCased<T>(value: T): CamelCased<T> {
  return converted(value) as CamelCased<T>;
}

function converted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(converted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [camelCase(name), converted(part)]));
}

function camelCase(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}
