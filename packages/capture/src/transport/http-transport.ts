import { TransportError } from '../errors.ts';
import type { Detection, LivenessTransport, Session, Verdict } from './protocol.ts';

/** Where the calls go, and what goes with them. */
export interface HttpTransportOptions {
  readonly createUrl: string;
  readonly submitUrl: string;
  readonly detectUrl?: string | undefined;
  /** Body of the call that creates the session. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Headers of every call; asked for each time, so that a token may be renewed. */
  headers?(): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
}

/**
 * A transport of three POST calls with JSON, to a backend of one's own or to Wajah itself.
 * @example
 * element.transport = httpTransport({ createUrl: '/liveness/create', submitUrl: '/liveness/submit' });
 */
export function httpTransport(options: HttpTransportOptions): LivenessTransport {
  const { createUrl, submitUrl, detectUrl, fields = {} } = options;
  const post = async (url: string, body: object, signal?: AbortSignal): Promise<object> => {
    const headers = { 'Content-Type': 'application/json', ...(await options.headers?.()) };
    const what = { method: 'POST', headers, body: JSON.stringify(body) };
    return readAnswer(await fetch(url, signal ? { ...what, signal } : what));
  };
  const transport: LivenessTransport = {
    createSession: async (more) => (await post(createUrl, fields, more?.signal)) as Session,
    submitSession: async (submission, more) => (await post(submitUrl, submission, more?.signal)) as Verdict,
  };
  if (detectUrl === undefined) return transport;
  return {
    ...transport,
    detect: async (image, more) => {
      const attributes = more?.attributes ?? ['pose', 'eyes', 'mouth'];
      const body = { image, attributes, max_faces: 2 };
      return (await post(detectUrl, body, more?.signal)) as Detection;
    },
  };
}

async function readAnswer(answer: Response): Promise<object> {
  const body = (await answer.json().catch(() => ({}))) as unknown;
  const fields = typeof body === 'object' && body !== null ? body : {};
  if (answer.ok) return requireSuccess(fields);
  const wait = Number(answer.headers.get('retry-after') ?? Number.NaN);
  throw refusalOf(fields, String(answer.status), Number.isFinite(wait) ? wait : undefined);
}

/** The answer, unless its envelope is a refusal. @throws TransportError */
export function requireSuccess<Answer extends object>(answer: Answer): Answer {
  const { status } = answer as { status?: unknown };
  if (status === undefined || String(status) === '200') return answer;
  throw refusalOf(answer, '500', undefined);
}

function refusalOf(fields: object, fallback: string, retryAfter: number | undefined): TransportError {
  const { status, status_message, detail } = fields as Record<string, unknown>;
  const text = [detail, status_message].find((part) => typeof part === 'string' && part !== '');
  const code = typeof status === 'string' || typeof status === 'number' ? String(status) : fallback;
  return new TransportError(
    code,
    typeof text === 'string' ? text : `the server answered ${code}`,
    retryAfter,
  );
}
