import { endSession, session } from '../state/session.ts';
import { ApiError } from './api-error.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface CallOptions {
  readonly method?: 'POST' | 'DELETE';
  readonly signal?: AbortSignal | undefined;
}

/**
 * One call with the token of the session.
 * @throws ApiError for every answer that is not a success, and `AbortError` when the signal says so
 */
export async function call<Answer>(
  path: string,
  fields: Fields = {},
  options: CallOptions = {},
): Promise<Answer> {
  const { method = 'POST', signal = null } = options;
  const token = session.value?.token ?? '';
  const answer = await send(path, {
    method,
    signal,
    headers: { 'Content-Type': 'application/json', Accesstoken: token },
    body: JSON.stringify(fields),
  });
  if (answer.http === 401 && session.value?.token === token) endSession('expired');
  return successOf<Answer>(answer);
}

/** A call without a token: signing in. */
export async function callOpen<Answer>(path: string, form: URLSearchParams): Promise<Answer> {
  return successOf<Answer>(await send(path, { method: 'POST', body: form }));
}

interface Answered {
  readonly http: number;
  readonly body: Record<string, unknown>;
}

async function send(path: string, init: RequestInit): Promise<Answered> {
  let response: Response;
  try {
    response = await fetch(path, { ...init, credentials: 'omit' });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(0, {});
  }
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  return { http: response.status, body };
}

/** An identification that found nobody is a refusal by its status although HTTP says 200. */
function successOf<Answer>({ http, body }: Answered): Answer {
  const status = body['status'];
  if (http >= 200 && http < 300 && (status === undefined || status === '200')) return body as Answer;
  throw new ApiError(http, body);
}
