import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { endpoints } from '@wajah/contract';
import { openEngine } from '@wajah/engine';
import { expect, it } from 'vitest';
import { drawnFace } from '../../engine/test/drawn/drawn-face.ts';
import { modelCache } from '../../engine/test/support/shared-engine.ts';
import { long } from './support/long.ts';
import { startTestApp } from './support/test-app.ts';

const kills = 24;
const workers = 3;
const callers = 3;

/** Process ids of the workers: this test starts no other processes. */
function workerPids(): number[] {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
  return children.trim().split(' ').map(Number);
}

it.runIf(long && process.platform === 'linux')(
  `${kills} workers that are killed or stopped while ${callers} callers detect faces fail at most one call each`,
  async () => {
    const image = { maxBytes: 10 << 20, maxPixels: 50e6 };
    const engine = await openEngine({ cacheDir: modelCache, workers, queue: 64, deadlineMs: 4000, image });
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
      const pids = workerPids();
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
  },
);
