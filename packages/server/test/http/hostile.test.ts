import type { AddressInfo } from 'node:net';
import { endpoints } from '@wajah/contract';
import { expect, it } from 'vitest';
import { drawnFace } from '../../../engine/test/drawn/drawn-face.ts';
import { exchange, faultsIn } from '../support/hostile/exchange.ts';
import { seeded } from '../support/hostile/random.ts';
import { hostileRequest } from '../support/hostile/requests.ts';
import { startTestApp } from '../support/test-app.ts';

const server = await startTestApp({}, { limits: { failedLogins: 10_000 } });
await server.app.listen({ port: 0, host: '127.0.0.1' });

it('hostile requests are answered in the envelope, and never with a 500', async () => {
  const { token } = await server.client();
  const material = { token, picture: await drawnFace() };
  const { port } = server.app.server.address() as AddressInfo;
  const random = seeded(1);
  const requests = Array.from({ length: 150 }, () => hostileRequest(random, material));
  const faults: string[] = [];
  const answered: string[] = [];
  const lane = async (): Promise<void> => {
    for (let request = requests.pop(); request; request = requests.pop()) {
      const received = await exchange(port, request);
      answered.push(received.slice(9, 12));
      for (const fault of faultsIn(received, request))
        faults.push(`${fault} to ${request.parts.join('|').slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: 16 }, lane));
  expect(faults).toEqual([]);
  expect(new Set(answered).size).toBeGreaterThan(5);
  expect((await server.app.inject({ url: endpoints.ready.path })).statusCode).toBe(200);
});
