import { expect, it } from 'vitest';
import { StoreUnavailable } from '../../src/errors.ts';
import { openPostgresStore } from '../../src/store/postgres-store.ts';
import { noPostgres, PostgresServer } from '../support/postgres.ts';
import { face, newGallery } from '../support/store.ts';

it.skipIf(noPostgres)('frozen backends fail their calls; other connections then serve', async () => {
  const server = await PostgresServer.start();
  // Longer than the machine may stall: calls of connections that are not frozen must not fail.
  const store = await openPostgresStore({ url: server.url('postgres'), timeoutMs: 8000, connections: 2 });
  const { id } = await newGallery(store);
  const backends = "SELECT pid FROM pg_stat_activity WHERE application_name = 'wajah'";
  const frozen = await server.query<{ pid: number }>(backends);
  for (const { pid } of frozen) process.kill(pid, 'SIGSTOP');
  try {
    await expect(store.faces.enrol(id, face('u0'), false)).rejects.toThrow(StoreUnavailable);
    const enrol = () => store.faces.enrol(id, face('u1'), true).catch(() => null);
    await expect.poll(enrol).toEqual(expect.any(Number));
  } finally {
    for (const { pid } of frozen) process.kill(pid, 'SIGCONT');
    await store.close();
  }
  expect(frozen.length).toBeGreaterThan(0);
});
