import { abortable, sleep } from '../abort.ts';
import { TransportError } from '../errors.ts';
import { requireSuccess } from '../transport/http-transport.ts';
import type { Frame, LivenessTransport, SentFrame, Submission, Verdict } from '../transport/protocol.ts';

/** Submissions of the same frames while the server is busy or unreachable. */
const MAX_SUBMISSIONS = 4;

/**
 * Submits frames: by their digests where the server has analysed them, and with all pictures when it has lost one.
 * @param sent digests by picture
 * @throws TransportError
 */
export async function submit(
  transport: LivenessTransport,
  submission: Omit<Submission, 'frames'> & { readonly frames: readonly Frame[] },
  sent: ReadonlyMap<string, string> | undefined,
  signal: AbortSignal,
): Promise<Verdict> {
  if (!sent || sent.size === 0) return submitAgain(transport, submission, signal);
  const frames = submission.frames.map((frame): Frame | SentFrame => {
    const { image, ...rest } = frame;
    const digest = sent.get(image);
    return digest === undefined ? frame : { ...rest, digest };
  });
  try {
    return await submitAgain(transport, { ...submission, frames }, signal);
  } catch (error) {
    if (!(error instanceof TransportError) || error.status !== '400') throw error;
    return submitAgain(transport, submission, signal);
  }
}

/** Submits frames. The same ones may be submitted again until the server has judged them. */
async function submitAgain(
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
