import { type Attributes, cutDegrees, cutFraction } from '@wajah/contract';

const angles: ReadonlySet<string> = new Set(['roll', 'pitch', 'yaw'] satisfies (keyof Attributes)[]);
const fractions: ReadonlySet<string> = new Set([
  'similarity',
  'spoof_score',
  'left_eye_score',
  'right_eye_score',
  'mouth_score',
] satisfies (keyof Attributes)[]);

/** Attributes with their numbers cut to the decimals of the wire. */
export function attributesView<Entry extends Attributes>(entry: Entry): Entry {
  const cut = Object.entries(entry).map(([name, value]) => [name, cutValue(name, value)]);
  return Object.fromEntries(cut) as Entry;
}

function cutValue(name: string, value: unknown): unknown {
  if (typeof value !== 'number') return value;
  if (angles.has(name)) return cutDegrees(value);
  return fractions.has(name) ? cutFraction(value) : value;
}
