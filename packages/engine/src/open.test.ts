import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { temporaryDirectory } from '../../server/test/support/temporary.ts';
import { drawnFace } from '../test/drawn/drawn-face.ts';
import { hasPadFiles, installedPadPack } from '../test/support/pad-pack.ts';
import { openEngine, openEngineInThread, type PooledEngineOptions } from './open.ts';
import type { AnalyzeRequest, Engine, StageTimes } from './types.ts';

const image = { maxBytes: 10 << 20, maxPixels: 50e6 };
const request: AnalyzeRequest = { attributes: ['embedding', 'pose'], maxFaces: 1, search: 'fast' };
const analyzed = vi.fn<(stages: StageTimes) => void>();
const open = (part: Partial<PooledEngineOptions> = {}) =>
  openEngine({ workers: 1, queue: 2, deadlineMs: 60_000, image, onAnalyzed: analyzed, ...part });

const picture = await drawnFace({ person: 'budi' });

describe('an engine over worker processes', () => {
  let engine: Engine;

  beforeAll(async () => {
    engine = await open();
  });

  afterAll(() => engine.close());

  it('has the same results as the engine in the calling thread', async () => {
    const inThread = await openEngineInThread({ image });
    const [there, here] = await Promise.all([
      engine.analyze(picture, request),
      inThread.analyze(picture, request),
    ]);
    expect(there.found).toBe(1);
    expect({ ...there, stages: {} }).toEqual({ ...here, stages: {} });
    expect(engine.embeddingSpec).toEqual(inThread.embeddingSpec);
    expect(engine.threshold).toBe(inThread.threshold);
    const [own] = there.faces;
    expect(own!.embedding).toHaveLength(engine.embeddingSpec.dimensions);
    expect(engine.similarity(own!.embedding!, here.faces[0]!.embedding!)).toBe(1);
    await inThread.close();
  });

  it.each(['webp', 'avif'] as const)('sees in a %s what it sees in a JPEG', async (format) => {
    const [jpeg, other] = await Promise.all([
      engine.analyze(picture, request),
      engine.analyze(await sharp(picture).toFormat(format, { quality: 90 }).toBuffer(), request),
    ]);
    expect(other.image).toEqual({ ...jpeg.image, format });
    expect(engine.similarity(jpeg.faces[0]!.embedding!, other.faces[0]!.embedding!)).toBeGreaterThan(0.9);
  });

  it('reports the times of the stages that ran', async () => {
    const { stages } = await engine.analyze(picture, request);
    expect(analyzed).toHaveBeenLastCalledWith(stages);
    expect(Object.keys(stages)).toEqual(expect.arrayContaining(['decode', 'detector', 'mesh', 'rest']));
    expect(stages).not.toHaveProperty('pad');
  });

  it('leaves the bytes to the caller', async () => {
    const window = new Uint8Array(picture.length + 10).fill(1);
    window.set(picture, 5);
    const { found } = await engine.analyze(window.subarray(5, 5 + picture.length), request);
    expect(found).toBe(1);
    expect(window.byteLength).toBe(picture.length + 10);
  });

  it("preserves the code of a worker's refusal", async () => {
    await expect(engine.analyze(Buffer.from('no picture'), request)).rejects.toMatchObject({
      name: 'EngineError',
      code: 'imageType',
    });
    await expect(engine.analyze(picture.subarray(0, 500), request)).rejects.toMatchObject({
      code: 'imageBroken',
    });
  });

  it('is busy when one call runs and the queue is full, and serves the others', async () => {
    const calls = [0, 1, 2].map(() => engine.analyze(picture, request));
    expect(engine.load()).toMatchObject({ alive: 1, running: 1, queued: 2 });
    await expect(engine.analyze(picture, request)).rejects.toMatchObject({ code: 'busy' });
    for (const { found } of await Promise.all(calls)) expect(found).toBe(1);
    expect(engine.load()).toMatchObject({ alive: 1, running: 0, queued: 0 });
  });

  it('drops a waiting call whose caller disconnects', async () => {
    const caller = new AbortController();
    const running = engine.analyze(picture, request);
    const waiting = engine.analyze(picture, request, { signal: caller.signal });
    caller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
    expect(engine.load()).toMatchObject({ running: 1, queued: 0 });
    expect((await running).found).toBe(1);
  });

  it('drops the answer of a running call whose caller disconnects, and keeps its worker', async () => {
    const caller = new AbortController();
    const running = engine.analyze(picture, request, { signal: caller.signal });
    caller.abort();
    await expect(running).rejects.toMatchObject({ code: 'aborted' });
    expect((await engine.analyze(picture, request)).found).toBe(1);
  });

  it('ends a call at a deadline of its own, and serves the next one', async () => {
    const late = engine.analyze(picture, request, { deadline: Date.now() - 1 });
    await expect(late).rejects.toMatchObject({ code: 'deadline' });
    expect((await engine.analyze(picture, request)).found).toBe(1);
  });

  it('refuses a call that was aborted before it was made', async () => {
    const signal = AbortSignal.abort();
    await expect(engine.analyze(picture, request, { signal })).rejects.toMatchObject({ code: 'aborted' });
  });
});

it('ends a call at its deadline, whether it runs or waits', async () => {
  const engine = await open({ deadlineMs: 1 });
  const calls = await Promise.allSettled([
    engine.analyze(picture, request),
    engine.analyze(picture, request),
  ]);
  for (const call of calls) {
    expect(call).toMatchObject({ status: 'rejected', reason: { name: 'EngineError', code: 'deadline' } });
  }
  await engine.close();
});

it('finishes running and queued calls when it closes, and refuses later ones', async () => {
  const engine = await open();
  const calls = [engine.analyze(picture, request), engine.analyze(picture, request)];
  const closed = engine.close();
  await expect(engine.analyze(picture, request)).rejects.toMatchObject({ code: 'closed' });
  for (const { found } of await Promise.all(calls)) expect(found).toBe(1);
  await closed;
  await engine.close();
});

it('opens packs below symbolic links', async () => {
  const folder = temporaryDirectory();
  mkdirSync(join(folder, 'real/packs'), { recursive: true });
  symlinkSync('real', join(folder, 'data'));
  const packsDir = join(folder, 'data/packs');
  if (hasPadFiles) await installedPadPack(packsDir);
  const engine = await open({ pack: { id: 'builtin', packsDir, acceptNonCommercial: false } });
  expect(engine.padPack).toBe(hasPadFiles ? 'pad' : null);
  expect((await engine.analyze(picture, request)).found).toBe(1);
  await engine.close();
});
