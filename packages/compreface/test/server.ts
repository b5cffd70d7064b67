import type { AddressInfo } from 'node:net';
import { endpoints } from '@wajah/contract';
import { startTestApp, type TestApp, type TestClient } from '../../server/test/support/test-app.ts';

/** A server with the profile, a client, and a key of each service; closed as `startTestApp` says. */
export interface ComprefaceServer {
  readonly server: TestApp;
  readonly client: TestClient;
  readonly keys: Readonly<Record<'recognition' | 'detection' | 'verification', string>>;
  /** A further key of the recognition service. */
  key(scopes?: readonly string[], gallery?: string): Promise<{ id: string; token: string }>;
  call(call: ComprefaceCall): Promise<ComprefaceAnswer>;
}

export interface ComprefaceCall {
  readonly method?: string;
  /** Below /api/v1. */
  readonly path: string;
  /** Default: the key of the recognition service; an empty one is not sent. */
  readonly key?: string;
  /** A text is sent as it is. */
  readonly json?: unknown;
  /** Pictures in base64. */
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The body is JSON, or else bytes. */
export interface ComprefaceAnswer {
  readonly http: number;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  readonly body: any;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** An id that no picture has. */
export const unknownId = '6b135f5b-a365-4522-b1f1-4c9ac2dd0728';

export async function startCompreface(env: Record<string, string> = {}): Promise<ComprefaceServer> {
  const profile = { WAJAH_COMPAT: 'compreface', WAJAH_KEEP_FACE_CROPS: 'true', WAJAH_LOG_LEVEL: 'trace' };
  const server = await startTestApp({ ...profile, ...env });
  const client = await server.client();
  const key: ComprefaceServer['key'] = async (scopes, galleryId = client.gallery) => {
    const fields = { name: 'key', scopes, compreface: 'recognition', facegallery_id: galleryId };
    const { token, token_id: id } = await server.operate(endpoints.createApiToken, fields, client.id);
    return { token, id };
  };
  const of = async (service: 'detection' | 'verification') =>
    (await server.operate(endpoints.createApiToken, { name: service, compreface: service }, client.id)).token;
  const keys = {
    recognition: (await key()).token,
    detection: await of('detection'),
    verification: await of('verification'),
  };
  const call: ComprefaceServer['call'] = async (given) => {
    const { method = 'POST', path, key: value = keys.recognition, json, form, headers } = given;
    const sent = form ? await formOf(form) : { payload: json as object };
    const answer = await server.app.inject({
      method: method as 'POST',
      url: `/api/v1${path}`,
      headers: {
        ...(value !== '' && { 'x-api-key': value }),
        ...(typeof json === 'string' && { 'content-type': 'application/json' }),
        ...('headers' in sent && sent.headers),
        ...headers,
      },
      ...((form || json !== undefined) && { payload: sent.payload }),
    });
    const type = String(answer.headers['content-type']);
    const body = type.startsWith('application/json') ? answer.json() : answer.rawPayload;
    return { http: answer.statusCode, type, body, headers: answer.headers };
  };
  return { server, client, keys, key, call };
}

/** Listens on a free port. */
export async function portOf({ server: { app } }: ComprefaceServer): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

/** A form as browsers and libraries send it. */
async function formOf(fields: Readonly<Record<string, string>>) {
  const form = new FormData();
  for (const [name, base64] of Object.entries(fields)) {
    form.append(name, new Blob([Buffer.from(base64, 'base64')], { type: 'image/jpeg' }), `${name}.jpg`);
  }
  const request = new Request('http://localhost', { method: 'POST', body: form });
  return {
    payload: Buffer.from(await request.arrayBuffer()),
    headers: { 'content-type': request.headers.get('content-type') ?? '' },
  };
}
