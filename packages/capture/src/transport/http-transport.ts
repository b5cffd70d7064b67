import { LivenessError, TransportError } from '../errors.ts';
import type { Detection, LivenessTransport, Session, Verdict } from './protocol.ts';

export interface HttpTransportOptions {
  readonly createUrl: string;
  readonly submitUrl: string;
  readonly beginUrl?: string | undefined;
  readonly detectUrl?: string | undefined;
  readonly frameUrl?: string | undefined;
  /** Body of create-session. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Headers of a call; called for each, so that a token can be renewed. */
  headers?(): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
}

/** Answers of a server in its own form, also where it imitates another service. */
const ownForm = 'application/vnd.wajah+json';

/**
 * A transport of JSON POST calls, to the page's backend or to Wajah itself.
 * @example
 * element.transport = httpTransport({ createUrl: '/liveness/create', submitUrl: '/liveness/submit' });
 */
export function httpTransport(options: HttpTransportOptions): LivenessTransport {
  const { createUrl, submitUrl, beginUrl, detectUrl, frameUrl } = options;
  const fields = { ...options.fields, ...(beginUrl !== undefined && { wait: true }) };
  const post = async (url: string, body: object, signal: AbortSignal | null = null): Promise<object> => {
    const headers = { Accept: ownForm, 'Content-Type': 'application/json', ...(await options.headers?.()) };
    return readAnswer(await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal }));
  };
  const transport: LivenessTransport = {
    createSession: async (more) => (await post(createUrl, fields, more?.signal)) as Session,
    submitSession: async (submission, more) => (await post(submitUrl, submission, more?.signal)) as Verdict,
  };
  if (detectUrl !== undefined) {
    transport.detect = async (image, more) => {
      const { session_id, attributes } = more ?? {};
      const body = { session_id, image, attributes };
      return (await post(detectUrl, body, more?.signal)) as Detection;
    };
  }
  if (beginUrl !== undefined) {
    transport.beginSession = async (session, more) =>
      (await post(beginUrl, session, more?.signal)) as Session;
  }
  if (frameUrl !== undefined) {
    transport.sendFrame = async (frame, more) =>
      (await post(frameUrl, frame, more?.signal)) as { digest: string };
  }
  return transport;
}

/** The element's attributes and properties that configure its transport. */
export interface TransportSettings {
  readonly token: string | (() => string | Promise<string>) | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  getAttribute(name: string): string | null;
}

/**
 * The transport to `base-url` with a token, or to the URLs of the page's backend.
 * @throws LivenessError `not-configured`
 */
export function transportFrom(settings: TransportSettings): LivenessTransport {
  const { token, headers } = settings;
  const given = (name: string) => settings.getAttribute(name) ?? undefined;
  const base = given('base-url')?.replace(/\/+$/, '');
  const urlOf = (attribute: string, path: string) =>
    given(attribute) ?? (base === undefined ? undefined : `${base}/${path}`);
  const createUrl = urlOf('create-url', 'liveness-api/create-session');
  const submitUrl = urlOf('submit-url', 'liveness-api/submit-session');
  const frameUrl = urlOf('frame-url', 'liveness-api/send-frame');
  const beginUrl = urlOf('begin-url', 'liveness-api/begin-session');
  const detectUrl = urlOf('detect-url', 'liveness-api/hint-frame');
  if (createUrl === undefined || submitUrl === undefined) {
    throw new LivenessError('not-configured', 'set transport, or base-url, or create-url and submit-url');
  }
  return httpTransport({
    createUrl,
    submitUrl,
    beginUrl,
    detectUrl,
    frameUrl,
    fields: fieldsOf(given),
    async headers() {
      if (token === undefined) return { ...headers };
      return { ...headers, Accesstoken: typeof token === 'string' ? token : await token() };
    },
  });
}

/** Body of create-session. A backend must not trust this user and should set its own. */
function fieldsOf(given: (name: string) => string | undefined): Record<string, unknown> {
  const [steps, user, gallery] = [given('steps'), given('user-id'), given('facegallery-id')];
  return {
    ...(steps !== undefined && { steps: Number(steps) }),
    ...(user !== undefined && { user_id: user }),
    ...(gallery !== undefined && { facegallery_id: gallery }),
    ...(given('keep-frame') !== undefined && { keep_frame: true }),
  };
}

async function readAnswer(answer: Response): Promise<object> {
  const body = (await answer.json().catch(() => ({}))) as unknown;
  const fields = typeof body === 'object' && body !== null ? body : {};
  if (answer.ok) return requireSuccess(fields);
  const wait = Number(answer.headers.get('retry-after') ?? Number.NaN);
  throw refusalOf(fields, String(answer.status), Number.isFinite(wait) ? wait : undefined);
}

/** @throws TransportError when the answer is a refusal */
export function requireSuccess<Answer extends object>(answer: Answer): Answer {
  const { status } = answer as { status?: unknown };
  if (status === undefined || String(status) === '200') return answer;
  throw refusalOf(answer, '500', undefined);
}

function refusalOf(fields: object, fallback: string, retryAfter: number | undefined): TransportError {
  const { status, status_message, detail, error } = fields as Record<string, unknown>;
  const text = [detail, status_message].find((part) => typeof part === 'string' && part !== '');
  const code = typeof status === 'string' || typeof status === 'number' ? String(status) : fallback;
  return new TransportError(
    code,
    typeof text === 'string' ? text : `the server answered ${code}`,
    retryAfter,
    error,
  );
}
