import { setTimeout as pause } from 'node:timers/promises';
import { endpoints } from '@wajah/contract';
import { openEngine } from '@wajah/engine';
import { expect } from 'vitest';
import { drawnFace } from '../../../packages/engine/test/drawn/drawn-face.ts';
import { startTestApp } from '../../../packages/server/test/support/test-app.ts';
import { childrenOf } from '../../support/program.ts';

const kills = 24;
const workers = 3;
const callers = 3;

/** Each fails one call at most; the others are answered, and the server stays ready. */
export async function workersAreReplaced(): Promise<void> {
  const image = { maxBytes: 10 << 20, maxPixels: 50e6 };
  const others = new Set(childrenOf(process.pid));
  const engine = await openEngine({ workers, queue: 64, deadlineMs: 4000, image });
  const server = await startTestApp({ WAJAH_ENGINE_DEADLINE_MS: '4000' }, { engine });
  const client = await server.client();
  const picture = (await drawnFace({ person: 'budi' })).toString('base64');
  const statuses: string[] = [];
  let done = false;
  const calling = Array.from({ length: callers }, async () => {
    while (!done) {
      const { body } = await client.call(endpoints.detectFaces, { image: picture, attributes: [] });
      statuses.push(body.status);
    }
  });
  for (let round = 0; round < kills; round++) {
    const pids = childrenOf(process.pid).filter((pid) => !others.has(pid));
    const signal = (['SIGSEGV', 'SIGSTOP', 'SIGKILL', 'SIGABRT'] as const)[round % 4]!;
    process.kill(pids[round % pids.length]!, signal);
    await pause(200);
    expect((await server.app.inject({ url: endpoints.ready.path })).statusCode).toBe(200);
    await expect.poll(() => engine.load().restarts).toBe(round + 1);
    await expect.poll(() => engine.load().alive).toBe(workers);
  }
  done = true;
  await Promise.all(calling);
  const failed = statuses.filter((status) => status !== '200');
  console.info(`${statuses.length} calls, ${failed.length} failed: ${failed.join(' ')}`);
  expect(new Set(failed)).toEqual(new Set(['500', '503']));
  expect(failed.length).toBeLessThanOrEqual(kills);
  expect(statuses.length).toBeGreaterThan(2 * kills);
  await server.close();
  await engine.close();
}
