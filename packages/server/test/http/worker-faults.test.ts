import { fileURLToPath } from 'node:url';
import { endpoints } from '@wajah/contract';
import { type Engine, openEngine } from '@wajah/engine';
import { expect, it } from 'vitest';
import { atEnd } from '../support/temporary.ts';
import { startTestApp } from '../support/test-app.ts';

const engine = await openEngine({
  workers: 2,
  queue: 64,
  deadlineMs: 3000,
  workerMemoryBytes: 512 << 20,
  image: { maxBytes: 10 << 20, maxPixels: 50e6 },
  workerFile: fileURLToPath(new URL('../../../engine/test/support/faulty-worker.js', import.meta.url)),
});
atEnd(() => engine.close());
const server = await startTestApp({}, { engine: patientEngine(engine) });
const client = await server.client();

/** A short deadline only for what never ends: the machine may stall for longer. */
function patientEngine(engine: Engine): Engine {
  return {
    ...engine,
    analyze(image, request, options) {
      const neverEnds = ['stop', 'loop'].includes(Buffer.from(image).toString());
      return engine.analyze(image, request, {
        ...options,
        deadline: Date.now() + (neverEnds ? 3000 : 120_000),
      });
    },
  };
}

const statusFor = async (text: string): Promise<string> => {
  const image = Buffer.from(text).toString('base64');
  return (await client.call(endpoints.detectFaces, { image })).body.status;
};

const isReady = async (): Promise<boolean> =>
  (await server.app.inject({ url: endpoints.ready.path })).statusCode === 200;

it('/metrics has the memory of each worker', async () => {
  const { values } = await server.context.events.registry
    .getSingleMetric('wajah_resident_memory_bytes')!
    .get();
  const bytes = new Map(values.map(({ labels, value }) => [labels['process'], value]));
  expect([...bytes.keys()].sort()).toEqual(['server', 'worker 1', 'worker 2']);
  expect(Math.min(...bytes.values())).toBeGreaterThan(1 << 20);
});

it.each([
  ['segmentationFault', /^500$/],
  ['allocate', /^500$/],
  ['outOfMemory', /^503$/],
  ['stop', /^503$/],
  ['loop', /^503$/],
])('%s in a worker under concurrent calls fails its call and no other', async (fault, status) => {
  const others: Promise<string>[] = [];
  const ready: boolean[] = [];
  const faulty = statusFor(fault);
  let settled = false;
  void faulty.finally(() => {
    settled = true;
  });
  do {
    // The worker of this test sees no face in a picture that is no fault.
    others.push(...Array.from({ length: 4 }, () => statusFor('picture')));
    ready.push(await isReady());
    await Promise.all(others);
  } while (!settled);
  expect(await faulty).toMatch(status);
  expect(new Set(await Promise.all(others))).toEqual(new Set(['412']));
  expect(ready).not.toContain(false);
  await expect.poll(() => engine.load()).toMatchObject({ alive: 2, running: 0 });
});
