import { setImmediate as turn } from 'node:timers/promises';
import { endpoints } from '@wajah/contract';
import type { Engine } from '@wajah/engine';
import { expect, it } from 'vitest';
import { drawnFace } from '../../../engine/test/drawn/drawn-face.ts';
import { sharedEngine } from '../../../engine/test/support/shared-engine.ts';
import { base64 } from '../support/requests.ts';
import { startTestApp, type TestClient } from '../support/test-app.ts';

/** Pictures whose analysis has been asked of the engine, which has one worker and analyses one when told to. */
const asked: (() => void)[] = [];

const image = await base64(drawnFace({ person: 'ani' }));
const engine = await sharedEngine();
const analysis = await engine.analyze(Buffer.from(image, 'base64'), {
  attributes: ['embedding', 'mask', 'unclear'],
  maxFaces: 1,
  search: 'fast',
});
const inSteps: Engine = {
  ...engine,
  analyze: () => new Promise((resolve) => asked.push(() => resolve(analysis))),
  load: () => ({ ...engine.load(), workers: 1, alive: 1 }),
};
const env = {
  WAJAH_ENGINE_QUEUE: '10',
  WAJAH_ENGINE_DEADLINE_MS: '600000',
};
const server = await startTestApp(env, { engine: inSteps, quota: { hits: 1_000_000 } });

/** Calls of a client; `order` has the name of each that was served. */
function calls(client: TestClient, name: string, count: number, order: string[]) {
  return Array.from({ length: count }, async () => {
    const answer = await client.call(endpoints.compareImages, { source_image: image, target_image: image });
    if (answer.http === 200) order.push(name);
    return answer;
  });
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turn();
}

/** The engine analyses what it is asked until the calls are answered. */
async function serve(answers: readonly Promise<unknown>[]): Promise<void> {
  let open = true;
  void Promise.allSettled(answers).then(() => {
    open = false;
  });
  while (open) {
    asked.shift()?.();
    await turn();
  }
}

const waiting = () => server.context.scheduler.load().queued;

it('a client with one call is served before the waiting calls of another client', async () => {
  const [flooding, single] = [await server.client(), await server.client()];
  const order: string[] = [];
  const flood = calls(flooding, 'flood', 4, order);
  // Two pictures a call; one is being analysed.
  await until(() => waiting() === 7);
  const one = calls(single, 'one', 1, order);
  await until(() => waiting() === 9);
  expect(server.context.scheduler.load().queues).toEqual([7, 2]);
  const { values } = await server.context.events.registry
    .getSingleMetric('wajah_queue_client_waiting')!
    .get();
  expect(values.map(({ value }) => value)).toEqual([7, 2, 0, 0]);
  await serve([...flood, ...one]);
  expect(order.indexOf('one')).toBeLessThanOrEqual(2);
  expect(order).toHaveLength(5);
});

it('the calls of a client that fills the queue are answered 503 with Retry-After and not counted; another client is served', async () => {
  const [flooding, single] = [await server.client(), await server.client()];
  const order: string[] = [];
  const flood = calls(flooding, 'flood', 20, order);
  await until(() => waiting() >= 10);
  // Its pictures are missing, which nobody has seen: a call that is refused has its body not read.
  const unread = await flooding.call(endpoints.compareImages, {});
  expect(unread.body).toMatchObject({
    status: '503',
    detail: expect.stringMatching(/1\d pictures waiting|the server is overloaded/),
  });
  const one = calls(single, 'one', 1, order);
  await serve([...flood, ...one]);
  const answers = await Promise.all(flood);
  const refused = answers.filter(({ http }) => http === 503);
  expect(refused.length).toBeGreaterThan(10);
  for (const { body, headers } of refused) {
    expect(body).toMatchObject({ status: '503', detail: expect.stringContaining('try again in') });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  }
  const { body } = await flooding.call(endpoints.getCounters);
  expect(1_000_000 - body.remaining_limit.n_api_hits).toBe(answers.length - refused.length);
  expect((await one[0]!).http).toBe(200);
});
