import { abortable, sleep } from '../abort.ts';
import { TransportError } from '../errors.ts';
import { requireSuccess } from '../transport/http-transport.ts';
import type {
  Frame,
  LivenessTransport,
  SentFrame,
  Session,
  Submission,
  Verdict,
} from '../transport/protocol.ts';

/** For transports that do not report them: seconds until the session expires, degrees of a frontal head. */
export const DEFAULTS = { seconds: 60, front: 12 } as const;
/** A session that expires sooner is one of an earlier try. The service allows no setting below 10 seconds. */
const LEAST_SECONDS = 8;

/**
 * Opens a session that leaves time for its steps: after a try that was cancelled or has run out of time the server may still
 * answer the same one, until that has expired.
 * @throws TransportError
 */
export async function openWithTime(transport: LivenessTransport, signal: AbortSignal): Promise<Session> {
  const ask = async () => requireSession(await abortable(transport.createSession({ signal }), signal));
  const session = await ask();
  const { steps, expires_in: seconds = DEFAULTS.seconds } = session;
  if (steps.length === 0 || seconds >= LEAST_SECONDS) return session;
  await sleep(seconds * 1000, signal);
  return ask();
}

/** @throws TransportError when the answer is no session, but a login page for example */
function requireSession(answer: Session): Session {
  const { session_id, steps } = requireSuccess(answer) as Partial<Session>;
  if (typeof session_id === 'string' && Array.isArray(steps)) return answer;
  throw new TransportError('500', 'the answer is not a session');
}

/** Begins a session that waits, or its next try. @throws TransportError */
export async function begin(
  { beginSession }: LivenessTransport,
  { session_id }: Session,
  signal: AbortSignal,
): Promise<Session> {
  const session = requireSession(await abortable(beginSession!({ session_id }, { signal }), signal));
  if (session.steps.length > 0) return session;
  throw new TransportError('500', 'the answer has no steps');
}

type Send = NonNullable<LivenessTransport['sendFrame']>;

/** Frames on their way to the server while others are still captured. */
export type Uploads = ReturnType<typeof createUploads>;

/** Sends one frame after the other, so that detection has the rest of the line. After a failure no more are sent. */
export function createUploads(send: Send, session_id: string, signal: AbortSignal) {
  const digests = new Map<string, string>();
  let added = 0;
  let failed = false;
  let report = () => {};
  let last = Promise.resolve();
  const upload = async ({ image, step }: Frame) => {
    if (failed || signal.aborted) return;
    try {
      const { digest } = requireSuccess(
        await abortable(send({ session_id, image, step }, { signal }), signal),
      );
      digests.set(image, digest);
      report();
    } catch {
      // The picture is submitted instead.
      failed = true;
    }
  };
  return {
    add(frame: Frame) {
      added += 1;
      last = last.then(() => upload(frame));
    },
    /**
     * Waits until the server has analysed the frames, or has refused one.
     * @param onProgress called with the share of the frames that are analysed, 0 to 1
     * @returns digests by picture, of the frames that the server has
     */
    async finish(onProgress: (share: number) => void): Promise<ReadonlyMap<string, string>> {
      report = () => onProgress(digests.size / added);
      report();
      await last;
      return digests;
    },
  };
}

/** Submissions of the same frames while the server is busy or unreachable. */
const MAX_SUBMISSIONS = 4;

/**
 * Submits frames: by their digests where the server has analysed them, and with all pictures when it has lost one.
 * @param sent digests by picture
 * @param withPicture whether the picture of a frame is submitted in any case
 * @throws TransportError
 */
export async function submit(
  transport: LivenessTransport,
  submission: Omit<Submission, 'frames'> & { readonly frames: readonly Frame[] },
  sent: ReadonlyMap<string, string> | undefined,
  withPicture: (frame: Frame) => boolean,
  signal: AbortSignal,
): Promise<Verdict> {
  if (!sent || sent.size === 0) return submitAgain(transport, submission, signal);
  const frames = submission.frames.map((frame): Frame | SentFrame => {
    const { image, ...rest } = frame;
    const digest = sent.get(image);
    return digest === undefined || withPicture(frame) ? frame : { ...rest, digest };
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
