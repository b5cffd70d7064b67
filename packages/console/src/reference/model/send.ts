import { session } from '../../state/session.ts';
import type { Operation } from './openapi.ts';

/** A successful or refused answer. */
export interface Reply {
  readonly http: number;
  readonly milliseconds: number;
  /** Formatted JSON with long strings cut. */
  readonly text: string;
}

/** Characters of the longest string that is shown in full. */
const maxText = 400;

/** Sends a call without client-side checks. @throws TypeError when the server cannot be reached */
export async function send(
  { method, path, auth }: Operation,
  fields: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Reply> {
  const started = performance.now();
  const token: Record<string, string> = auth === 'token' ? { Accesstoken: session.value?.token ?? '' } : {};
  const inBody = method === 'POST';
  const response = await fetch(inBody ? path : withQuery(path, fields), {
    method,
    signal,
    credentials: 'omit',
    headers: inBody ? { ...token, 'Content-Type': 'application/json' } : token,
    body: inBody ? JSON.stringify(fields) : null,
  });
  const text = pretty(await response.text());
  return { http: response.status, milliseconds: Math.round(performance.now() - started), text };
}

function withQuery(path: string, fields: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  ).toString();
  return query === '' ? path : `${path}?${query}`;
}

function pretty(text: string): string {
  const cut = (_: string, value: unknown) =>
    typeof value === 'string' && value.length > maxText
      ? `${value.slice(0, 60)}… (${value.length} characters)`
      : value;
  try {
    return JSON.stringify(JSON.parse(text), cut, 2);
  } catch {
    return text;
  }
}
