import { type StatusName, statuses } from '@wajah/contract';
import { cutFraction } from '@wajah/contract/values';
import type { EventCells } from '../../events/table.ts';
import type { WebhookType } from './ports.ts';

/** What endpoints are told of an event: names of the wire. No template, no picture. */
export type WebhookData = Readonly<
  Record<string, string | number | boolean | null | readonly string[] | undefined>
>;

/** Refusals that anybody can cause in any number, or that another event tells. */
const untold: ReadonlySet<StatusName> = new Set(['busy', 'tooManyRequests', 'unauthorized', 'notRecognized']);

/** What endpoints of the client are told of each event; null: nothing. */
export const toldEvents: EventCells<readonly [type: WebhookType, data: WebhookData] | null> = {
  face_written: (facts) => ['face.enrolled', facts],
  face_erased: (facts) => ['face.erased', facts],
  face_verified: ({ verified }, { similarity, threshold }) => [
    'face.verified',
    { verified, similarity: cutFraction(similarity), threshold },
  ],
  face_identified({ identified, candidates }, { similarity: best, threshold }) {
    const similarity = best === undefined ? undefined : cutFraction(best);
    return ['face.identified', { identified, candidates, similarity, threshold }];
  },
  face_unknown: (_, { unknownId, seen }) => ['face.unknown', { unknown_id: unknownId, n_seen: seen }],
  liveness_judged({ passed, way }, { reasons, sessionId: session_id, nonce, triesLeft: tries_left }) {
    if (!passed) return ['liveness.failed', { way, reasons, session_id, tries_left }];
    return session_id === undefined ? null : ['liveness.passed', { session_id, nonce }];
  },
  quota_reached: (facts) => ['quota.reached', facts],
  refused({ refusal, route }) {
    if (untold.has(refusal)) return null;
    const { status, message } = statuses[refusal];
    return ['call.refused', { endpoint: route, status, status_message: message }];
  },
};
