import { createWajahClient, type WajahClient } from '@wajah/client';
import { startTestApp, type TestApp, type TestClient } from '../../server/test/support/test-app.ts';

/** The real server, listening, with real inference. */
export interface Stage {
  readonly server: TestApp;
  readonly url: string;
  /** A new client of the server, and the library logged in as it. */
  enter(): Promise<{ wajah: WajahClient; account: TestClient }>;
  close(): Promise<void>;
}

export async function openStage(env: Record<string, string> = {}): Promise<Stage> {
  const server = await startTestApp(env);
  const url = await server.app.listen({ host: '127.0.0.1', port: 0 });
  return {
    server,
    url,
    async enter() {
      // An operator, who may make every call there is.
      const account = await server.client({}, true);
      const { id: clientId, password } = account;
      return { account, wajah: createWajahClient({ url, clientId, password }) };
    },
    close() {
      // A call that was given up may leave a connection on which nothing was sent: Node waits a minute for it.
      server.app.server.closeAllConnections();
      return server.close();
    },
  };
}
