import { abortable, sleep } from '../abort.ts';
import { TransportError } from '../errors.ts';
import { requireSuccess } from '../transport/http-transport.ts';
import type { LivenessTransport, Session } from '../transport/protocol.ts';

/** For transports that do not report them: seconds until the session expires, degrees of a frontal head. */
export const DEFAULTS = { seconds: 60, front: 12 } as const;
/** A session that expires sooner is one of an earlier try. The service allows no setting below 10 seconds. */
const LEAST_SECONDS = 8;

/**
 * Opens a session that leaves time for its steps. After a try that was cancelled or has run out of time the server still
 * answers the same session, until that has expired.
 * @throws TransportError
 */
export async function openWithTime(transport: LivenessTransport, signal: AbortSignal): Promise<Session> {
  const open = async () => requireSession(await abortable(transport.createSession({ signal }), signal));
  const session = await open();
  const { expires_in: seconds = DEFAULTS.seconds } = session;
  if (seconds >= LEAST_SECONDS) return session;
  await sleep(seconds * 1000, signal);
  return open();
}

/** @throws TransportError when the answer is no session, but a login page for example */
function requireSession(answer: Session): Session {
  const { session_id, steps } = requireSuccess(answer) as Partial<Session>;
  if (typeof session_id === 'string' && Array.isArray(steps) && steps.length > 0) return answer;
  throw new TransportError('500', 'the answer is not a session');
}
