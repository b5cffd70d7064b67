// A module for each area, which the build puts into the chunk of the pages that use it.
export { clients } from './clients.ts';
export { common, login } from './common.ts';
export { enrolment, galleries, people, terms } from './galleries.ts';
export { keys } from './keys.ts';
export { liveness } from './liveness.ts';
export { looksLike } from './looks-like.ts';
export { figures, measure } from './measure.ts';
export { door, recognise } from './recognise.ts';
export { reference } from './reference.ts';
export { system, units } from './system.ts';
export { thresholds } from './thresholds.ts';

/** The message of a name that comes from the server; undefined when there is none. */
export function messageFor(area: object, name: string): string | undefined {
  const message = (area as Readonly<Record<string, unknown>>)[name];
  return typeof message === 'string' ? message : undefined;
}
