import type { RefusalRow } from './sentence.ts';

/** Refusals that belong to no area. */
export const commonRefusals = {
  serverError: {
    status: 'serverError',
    sentence: 'an error of the server; its log has more under this trx_id',
  },
  storeUnavailable: { status: 'busy', sentence: '{reason}; try again' },
  serverBusy: { status: 'busy', sentence: '{reason}; nothing was written, try again in a moment' },
  disconnected: { status: 'busy', sentence: 'the client disconnected before the answer' },
  listCursor: {
    status: 'malformed',
    field: 'cursor',
    sentence: 'it is no next_cursor of {list}; send that of the previous page, or none for the first page',
  },
  requestMalformed: { status: 'malformed', sentence: '{reason}' },
  notReady: { status: 'busy', sentence: 'not ready: {checks:list}' },
} as const satisfies Record<string, RefusalRow>;
