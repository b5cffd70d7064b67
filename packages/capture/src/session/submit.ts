import { abortable, sleep } from '../abort.ts';
import { TransportError } from '../errors.ts';
import { requireSuccess } from '../transport/http-transport.ts';
import type { LivenessTransport, Submission, Verdict } from '../transport/protocol.ts';

/** Submissions of the same frames while the server is busy or unreachable. */
const MAX_SUBMISSIONS = 4;

/**
 * Submits frames. The same ones may be submitted again until the server has judged them.
 * @throws TransportError
 */
export async function submit(
  transport: LivenessTransport,
  submission: Submission,
  signal: AbortSignal,
): Promise<Verdict> {
  let networkError: unknown;
  for (let attempt = 1; ; attempt++) {
    try {
      return requireVerdict(await abortable(transport.submitSession(submission, { signal }), signal));
    } catch (error) {
      if (signal.aborted) throw error;
      const refused = error instanceof TransportError;
      // An earlier submission was judged, and its answer was lost.
      if (refused && error.status === '419' && networkError) throw networkError;
      if (attempt === MAX_SUBMISSIONS || (refused && !['429', '503'].includes(error.status))) throw error;
      if (!refused) networkError = error;
      await sleep(Math.min(8, (refused && error.retryAfter) || attempt) * 1000, signal);
    }
  }
}

/** @throws TransportError when the answer is no verdict */
function requireVerdict(answer: Verdict): Verdict {
  const { liveness } = requireSuccess(answer) as Partial<Verdict>;
  if (liveness === 'passed' || liveness === 'failed') return answer;
  throw new TransportError('500', 'the answer is not a verdict');
}
