import { endpoints } from '@wajah/contract';
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

it('counts events, calls and load, and names no client', async () => {
  const server = await startTestApp({ WAJAH_METRICS: 'open' });
  const client = await server.client();
  await client.call(endpoints.listGalleries);
  await client.call(endpoints.listFaces, { facegallery_id: 'none' });
  const { statusCode, headers, body } = await get(server);
  expect([statusCode, headers['content-type']]).toEqual([
    200,
    expect.stringMatching(/^text\/plain; version=/),
  ]);
  expect(body).toContain('wajah_events_total{event="refused",outcome="galleryNotFound"} 1');
  const call = (path: string, status: string) =>
    `wajah_http_request_duration_seconds_count{route="${path}",status="${status}"} 1`;
  expect(body).toContain(call(endpoints.listGalleries.path, '200'));
  expect(body).toContain(call(endpoints.listFaces.path, '416'));
  expect(body).toMatch(/^wajah_engine_workers 1$/m);
  expect(body).toMatch(/^wajah_engine_workers_alive 1$/m);
  expect(body).toMatch(/^wajah_engine_worker_restarts_total 0$/m);
  expect(body).toMatch(/^process_resident_memory_bytes \d+/m);
  expect(body).not.toContain(client.id);
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
