import { createWajahClient, type WajahClient } from '@wajah/client';
import { startTestApp, type TestApp, type TestClient } from '../../server/test/support/test-app.ts';

/** A listening server with real inference, until the end of the test or file. */
export interface TestServer {
  readonly server: TestApp;
  readonly url: string;
  /** Creates a client of the server, and the library with its credentials. */
  login(): Promise<{ wajah: WajahClient; account: TestClient }>;
}

export async function openTestServer(env: Record<string, string> = {}): Promise<TestServer> {
  const server = await startTestApp(env);
  const url = await server.app.listen({ host: '127.0.0.1', port: 0 });
  return {
    server,
    url,
    async login() {
      // An operator may make every call.
      const account = await server.client({}, true);
      const { id: clientId, password } = account;
      return { account, wajah: createWajahClient({ url, clientId, password, scope: 'operate' }) };
    },
  };
}
