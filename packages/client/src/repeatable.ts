import { type Calls, calls } from './wire/calls.ts';

/** Calls that change nothing although their only method is POST. */
const reads = new Set<keyof Calls>([
  'identifyFace',
  'verifyFace',
  'compareImages',
  'detectFaces',
  'getFaceCrop',
  'verifyLiveness',
  'verifyLivenessBatch',
  'clientToken',
  'token',
]);

/**
 * Whether a call may be executed twice: it is tried again when its answer was lost. A liveness token is spent by the
 * call that brings it, so such a call is not.
 */
export function isRepeatable(call: keyof Calls, fields: object): boolean {
  if ('liveness_token' in fields && fields.liveness_token) return false;
  return calls[call].safe || reads.has(call);
}
