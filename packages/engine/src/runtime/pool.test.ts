import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PreparedPack } from '../packs/builtin.ts';
import type { AnalyzeRequest } from '../types.ts';
import { AnalyzerPool } from './pool.ts';

const workerFile = fileURLToPath(new URL('../../test/support/faulty-worker.js', import.meta.url));
const request: AnalyzeRequest = { attributes: [], maxFaces: 1, search: 'fast' };

function poolOf(workers: number, deadlineMs: number, pack = 'any'): AnalyzerPool {
  const limits = { maxBytes: 10 << 20, maxPixels: 50e6 };
  return new AnalyzerPool({
    ...{ workers, deadlineMs, limits, workerFile, queue: 100 },
    // The worker of this test opens no models.
    pack: { manifest: { id: pack } } as PreparedPack,
  });
}

/** Process id of the worker that answers. */
const answeredBy = async (pool: AnalyzerPool): Promise<number> =>
  (await pool.analyze(Buffer.from('picture'), request)).found;

const restored = (pool: AnalyzerPool) =>
  expect.poll(() => pool.load(), { timeout: 10_000 }).toMatchObject({ alive: 2, running: 0, queued: 0 });

describe('worker processes', () => {
  let pool: AnalyzerPool;

  beforeAll(async () => {
    pool = poolOf(2, 1000);
    await pool.start();
  });

  afterAll(() => pool.close());

  it.each([
    ['exit', 'crashed', 'exit code 7'],
    ['segmentationFault', 'crashed', 'SIGSEGV'],
    ['damagedAnswer', 'crashed', 'its answer cannot be read'],
    ['stop', 'deadline', '1000 ms'],
    ['loop', 'deadline', '1000 ms'],
    ['hang', 'deadline', '1000 ms'],
  ])('%s in a worker fails one call and no other', async (fault, code, message) => {
    const { restarts } = pool.load();
    const faulty = pool.analyze(Buffer.from(fault), request);
    const others = Array.from({ length: 40 }, () => answeredBy(pool));
    await expect(faulty).rejects.toMatchObject({
      name: 'EngineError',
      code,
      message: expect.stringContaining(message),
    });
    expect((await Promise.all(others)).every((pid) => pid > 0)).toBe(true);
    await restored(pool);
    expect(pool.load().restarts).toBe(restarts + 1);
  });

  it('a worker that is killed between calls is replaced', async () => {
    const pid = await answeredBy(pool);
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => pool.load().alive).toBe(1);
    expect(await answeredBy(pool)).not.toBe(pid);
    await restored(pool);
  });

  it('a defect in a worker fails the call with its stack as the cause, and the worker goes on', async () => {
    const { restarts } = pool.load();
    await expect(pool.analyze(Buffer.from('throw'), request)).rejects.toMatchObject({
      message: 'An engine worker failed.',
      cause: expect.stringContaining('Error: a defect'),
    });
    expect(pool.load()).toMatchObject({ alive: 2, restarts });
  });
});

it('a call waits for the replacement of the only worker', async () => {
  const pool = poolOf(1, 10_000);
  await pool.start();
  await expect(pool.analyze(Buffer.from('exit'), request)).rejects.toMatchObject({ code: 'crashed' });
  expect(pool.load().alive).toBe(0);
  expect(await answeredBy(pool)).toBeGreaterThan(0);
  await pool.close();
});

it('a worker that cannot start fails the start of the pool, which leaves no process', async () => {
  const pool = poolOf(2, 1000, 'failing');
  await expect(pool.start()).rejects.toMatchObject({
    code: 'crashed',
    message: expect.stringContaining('exit code 3'),
  });
  await pool.close();
  expect(pool.load().alive).toBe(0);
});

it('a closed pool has ended its processes', async () => {
  const pool = poolOf(1, 1000);
  await pool.start();
  const pid = await answeredBy(pool);
  await pool.close();
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
