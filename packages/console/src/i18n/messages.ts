// A module for each area: the build puts each into the chunk of the pages that use it.
export { activity } from './areas/activity.ts';
export { clients } from './areas/clients.ts';
export { common, login } from './areas/common.ts';
export { enrolment, galleries, people, terms, thresholds } from './areas/galleries.ts';
export { keys } from './areas/keys.ts';
export { liveness } from './areas/liveness.ts';
export { looksLike } from './areas/looks-like.ts';
export { figures, measure } from './areas/measure.ts';
export { door, recognise } from './areas/recognise.ts';
export { reference } from './areas/reference.ts';
export { system, units } from './areas/system.ts';
export { webhooks } from './areas/webhooks.ts';

/** The message of a name that comes from the server; undefined when there is none. */
export function messageFor(area: object, name: string): string | undefined {
  const message = (area as Readonly<Record<string, unknown>>)[name];
  return typeof message === 'string' ? message : undefined;
}
