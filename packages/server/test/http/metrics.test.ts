import { Gauge } from 'prom-client';
import { expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/test-app.ts';

const get = ({ app }: TestApp, token?: string) =>
  app.inject({
    url: '/metrics',
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });

it('is absent unless it is switched on', async () => {
  const server = await startTestApp();
  expect((await get(server)).json().status).toBe('404');
});

it('measures once for calls at the same time, which need no token', async () => {
  const server = await startTestApp({ WAJAH_METRICS: 'open' });
  let measured = 0;
  new Gauge({
    name: 'measured',
    help: 'How often it was measured',
    registers: [server.context.events.registry],
    collect: () => {
      measured += 1;
    },
  });
  const answers = await Promise.all(Array.from({ length: 20 }, () => get(server)));
  expect([new Set(answers.map(({ statusCode }) => statusCode)), measured]).toEqual([new Set([200]), 1]);
});

it('answers operators only if configured so', async () => {
  const server = await startTestApp({ WAJAH_METRICS: 'operator' });
  const [operator, other] = [await server.client({}, true), await server.client()];
  expect((await get(server)).json().status).toBe('401');
  expect((await get(server, other.token)).json().status).toBe('403');
  expect((await get(server, operator.token)).statusCode).toBe(200);
});
