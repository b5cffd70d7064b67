import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { drawnFace } from '../../packages/engine/test/drawn/drawn-face.ts';
import { exchange, faultsIn } from '../../packages/server/test/support/hostile/exchange.ts';
import { seeded } from '../../packages/server/test/support/hostile/random.ts';
import { hostileRequest } from '../../packages/server/test/support/hostile/requests.ts';
import { rounds } from '../../packages/server/test/support/rounds.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { newClient, picture } from '../support/enrolling.ts';
import { serve } from '../support/program.ts';

const total = rounds(2_000);
const lanes = 24;
/** Megabytes that the server may have more at the end than after a tenth of the requests. */
const growth = 150;

it('thousands of hostile requests: no 500, no crash, always the envelope, and memory is bounded', async () => {
  const limits = { WAJAH_CALLS_PER_MINUTE: '10000000' };
  const settings = { WAJAH_DATA_DIR: temporaryDirectory(), ...limits };
  const server = await serve(settings);
  const client = await newClient(settings, 'hostile');
  const port = Number(new URL(server.url).port);
  const material = { token: client.token, picture: await drawnFace() };
  const random = seeded(20);
  const faults: string[] = [];
  const statuses = new Map<string, number>();
  const resident: number[] = [];
  let sent = 0;
  const lane = async (): Promise<void> => {
    while (sent < total && faults.length < 20) {
      sent += 1;
      if (sent % (total / 10) === 0) {
        resident.push(residentOf(server.pid));
        expect((await fetch(`${server.url}/ready`)).status).toBe(200);
      }
      const request = hostileRequest(random, material);
      const received = await exchange(port, request);
      const status = received.slice(9, 12) || 'none';
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      for (const fault of faultsIn(received, request))
        faults.push(`${fault} to ${request.parts.join('|').slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  console.info(`HTTP ${JSON.stringify(Object.fromEntries([...statuses].sort()))}; MB ${resident.join(' ')}`);
  expect(faults).toEqual([]);
  expect(resident.at(-1)! - resident[0]!).toBeLessThan(growth);
  // The budgets of bodies and pictures were given back.
  await client.enrol(server.url, 'ani', 'ani');
  const large = { user_id: 'ani', image: (await picture('ani')) + ' '.repeat(8_000_000) };
  expect((await client.verifyWith(server.url, large)).status).toBe('200');
  expect((await server.stop('SIGTERM')).code).toBe(0);
});

/** Megabytes. */
function residentOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1000);
}
