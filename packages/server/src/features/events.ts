import { duplicateEvents } from './duplicates/events.ts';
import { expectedEvents } from './expected/events.ts';
import { unknownEvents } from './unknown/events.ts';
import { webhookEvents } from './webhooks/events.ts';

/** Rows of the table of events. */
export const featureEvents = { ...duplicateEvents, ...expectedEvents, ...unknownEvents, ...webhookEvents };
