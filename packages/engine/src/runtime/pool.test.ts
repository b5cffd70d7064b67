import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PreparedPack } from '../packs/builtin.ts';
import type { AnalyzeRequest } from '../types.ts';
import { AnalyzerPool } from './pool.ts';
import type { Launch } from './processes/command.ts';

const entry = fileURLToPath(new URL('../../test/support/faulty-worker.js', import.meta.url));
const request: AnalyzeRequest = { attributes: [], maxFaces: 1, search: 'fast' };

function poolOf(workers: number, deadlineMs: number, part: Partial<Launch> = {}, ends: string[] = []) {
  return new AnalyzerPool({
    workers,
    deadlineMs,
    queue: 100,
    limits: { maxBytes: 10 << 20, maxPixels: 50e6 },
    launch: { pack: packOf('any'), entry, memoryBytes: 1 << 30, launcher: [], ...part },
    onWorkerEnd: ({ cause }) => ends.push(cause),
  });
}

const onLinux = process.platform === 'linux';

/** The worker of these tests opens no models. */
const packOf = (id: string) => ({ manifest: { id }, folder: dirname(entry) }) as PreparedPack;

/** A deadline that a busy machine keeps. */
const patient = () => ({ deadline: Date.now() + 120_000 });

/** Kills a worker between calls, and waits until the pool replaces it. */
async function killed(pool: AnalyzerPool): Promise<number> {
  const [pid, { restarts }] = [await answeredBy(pool), pool.load()];
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => pool.load().restarts).toBe(restarts + 1);
  return pid;
}

/** Process id of the worker that answers. */
const answeredBy = async (pool: AnalyzerPool): Promise<number> =>
  (await pool.analyze(Buffer.from('picture'), request, patient())).found;

const restored = (pool: AnalyzerPool) =>
  expect.poll(() => pool.load()).toMatchObject({ alive: 2, running: 0, queued: 0 });

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
    ['outOfMemory', 'killed', 'SIGKILL'],
    ['damagedAnswer', 'crashed', 'its answer cannot be read'],
    ['stop', 'deadline', '1000 ms'],
    ['hang', 'deadline', '1000 ms'],
  ])('%s in a worker fails one call and no other', async (fault, code, message) => {
    const { restarts } = pool.load();
    const options = code === 'deadline' ? {} : patient();
    const faulty = pool.analyze(Buffer.from(fault), request, options);
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
    const pid = await killed(pool);
    expect(await answeredBy(pool)).not.toBe(pid);
    await restored(pool);
  });

  it('tells the memory of each worker, also of a replacement', async () => {
    await killed(pool);
    await restored(pool);
    const memory = await pool.memory();
    expect(memory.map(({ worker }) => worker).sort()).toEqual([1, 2]);
    for (const { residentBytes, proportionalBytes } of memory) {
      expect(residentBytes).toBeGreaterThan(1 << 20);
      if (onLinux) expect(proportionalBytes).toBeGreaterThan(1 << 20);
    }
  });

  it('a defect in a worker fails the call with its stack as the cause, and the worker goes on', async () => {
    const { restarts } = pool.load();
    await expect(pool.analyze(Buffer.from('throw'), request, patient())).rejects.toMatchObject({
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

it('a worker that works past the deadline of its call is not alive', async () => {
  const pool = poolOf(1, 200);
  await pool.start();
  await expect(pool.analyze(Buffer.from('stop'), request)).rejects.toMatchObject({ code: 'deadline' });
  await expect.poll(() => pool.load().alive, { interval: 5 }).toBe(0);
  await expect.poll(() => pool.load()).toMatchObject({ alive: 1, restarts: 1 });
  await pool.close();
});

it('a worker that cannot start fails the start of the pool, which leaves no process', async () => {
  const pool = poolOf(2, 1000, { pack: packOf('failing') });
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

it('a worker that keeps most of its memory after a call is replaced', async () => {
  const ends: string[] = [];
  const pool = poolOf(1, 20_000, { memoryBytes: 520 << 20 }, ends);
  await pool.start();
  const { found } = await pool.analyze(Buffer.from('keepMemory'), request);
  expect(await answeredBy(pool)).not.toBe(found);
  expect(ends).toEqual(['memory']);
  await pool.close();
});

it('a worker writes no file, starts no program and no thread, reads no other folder and no environment', async () => {
  const pool = poolOf(1, 20_000);
  await pool.start();
  await expect(pool.analyze(Buffer.from('rights'), request)).rejects.toMatchObject({
    cause: expect.stringMatching(/^Error\n/),
  });
  await pool.close();
});

it('a launcher starts the workers', async () => {
  const pool = poolOf(1, 20_000, { launcher: ['/usr/bin/env', 'LAUNCHED=yes'] });
  await pool.start();
  await expect(pool.analyze(Buffer.from('rights'), request)).rejects.toMatchObject({
    cause: expect.stringMatching(/^Error: readEnvironment\n/),
  });
  await pool.close();
});
