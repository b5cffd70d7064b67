import type { AddressInfo } from 'node:net';
import type { Engine } from '@wajah/engine';
import { startTestApp, type TestApp, type TestClient } from '../../support/test-app.ts';

/** A server with the profile, a client, and a key of each service. */
export interface ComprefaceServer {
  readonly server: TestApp;
  readonly client: TestClient;
  readonly keys: Readonly<Record<'recognition' | 'detection' | 'verification', string>>;
  /** A further key of the recognition service. */
  key(scopes?: readonly string[], gallery?: string): Promise<{ id: string; token: string }>;
}

export async function startCompreface(
  env: Record<string, string> = {},
  others: { readonly engine?: Engine } = {},
): Promise<ComprefaceServer> {
  const server = await startTestApp(
    {
      ...{ WAJAH_COMPAT: 'compreface', WAJAH_KEEP_FACE_CROPS: 'true', WAJAH_LOG_LEVEL: 'trace' },
      ...env,
    },
    others,
  );
  const client = await server.client();
  const { accounts } = server.context;
  const key: ComprefaceServer['key'] = (scopes, galleryId = client.gallery) =>
    accounts.createApiToken(client.id, 'key', null, scopes, { service: 'recognition', galleryId });
  const of = async (service: 'detection' | 'verification') =>
    (await accounts.createApiToken(client.id, service, null, undefined, { service, galleryId: null })).token;
  const keys = {
    recognition: (await key()).token,
    detection: await of('detection'),
    verification: await of('verification'),
  };
  return { server, client, keys, key };
}

/** Listens on a free port. */
export async function portOf({ server: { app } }: ComprefaceServer): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

/** A form as browsers and libraries send it. */
export async function formOf(fields: Readonly<Record<string, string>>) {
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
