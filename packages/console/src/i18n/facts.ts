/** Facts of an audit record. */
export type Facts = Readonly<Record<string, string | number | boolean>>;

export function gallery({ facegallery_id: name }: Facts): string {
  return name === undefined ? 'a gallery whose name is erased' : `gallery ${name}`;
}

export function count(value: Facts[string] | undefined, one: string, many: string): string {
  return value === undefined ? many : `${value} ${value === 1 ? one : many}`;
}
