import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../packages/server/test/support/temporary.ts';
import { newClient, picture } from '../../support/enrolling.ts';
import { serve, wajah } from '../../support/program.ts';
import {
  type Attack,
  addresses,
  call,
  flood,
  guessPasswords,
  halfHead,
  pipelined,
  readSlowly,
} from './attackers.ts';

/** Address of the neighbour, who attacks nobody. */
const neighbour = '127.0.9.1';

/** Calls of the neighbour, one after the other. */
const calls = 25;

const settings = { WAJAH_DATA_DIR: temporaryDirectory(), WAJAH_CALLS_PER_MINUTE: '100000' };

const server = await serve(settings);
const port = Number(new URL(server.url).port);
const client = await newClient(settings, 'neighbour');
await client.enrol(server.url, 'ani', 'ani');
const fields = { user_id: 'ani', facegallery_id: 'neighbour@trial', image: await picture('ani', true) };
const body = JSON.stringify(fields);
await neighbourCalls();

/** The neighbour verifies. @returns mean of the calls, milliseconds */
async function neighbourCalls(): Promise<number> {
  const headers = { accesstoken: client.token, 'content-type': 'application/json' };
  const begun = performance.now();
  for (let i = 0; i < calls; i++) {
    const answer = await call(port, neighbour, 'POST', '/face-api/facegallery/verify-face', body, headers);
    expect(answer).toMatchObject({ http: 200, body: expect.stringContaining('"verified":true') });
  }
  return (performance.now() - begun) / calls;
}

/** Megabytes of memory of the server's process, its workers apart. */
function memory(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1000;
}

function descriptors(): number {
  return readdirSync(`/proc/${server.pid}/fd`).length;
}

const pages = ['/openapi.json', '/docs/guide/index.html', '/console', '/nowhere'];

const attacks: [name: string, begin: () => Attack][] = [
  ...pages.flatMap((path): [string, () => Attack][] => [
    [
      `500 pipelined requests of ${path} on a connection`,
      () => flood(port, { addresses: addresses(1), connections: 1, attack: pipelined(path, 500) }),
    ],
    [
      `2,000 pipelined requests of ${path} from each of eight addresses`,
      () => flood(port, { addresses: addresses(8), connections: 1, attack: pipelined(path, 2000) }),
    ],
  ]),
  [
    'pipelined requests on 50 connections of each of eight addresses',
    () => flood(port, { addresses: addresses(8), connections: 50, attack: pipelined('/health', 1000) }),
  ],
  [
    'slow readers',
    () => flood(port, { addresses: addresses(4), connections: 200, attack: readSlowly('/openapi.json') }),
  ],
  ['half heads', () => flood(port, { addresses: addresses(4), connections: 400, attack: halfHead })],
  [
    'many connections of few addresses',
    () => flood(port, { addresses: addresses(3), connections: 2000, attack: () => {}, again: 3000 }),
  ],
  ['guesses of a password', () => guessPasswords(port, client.name, addresses(4))],
];

describe('a neighbour is served and the server bounded beside', () => {
  it.each(attacks)('%s', async (name, begin) => {
    const before = descriptors();
    const quiet = await neighbourCalls();
    const attack = begin();
    let [most, open] = [0, 0];
    const watch = setInterval(() => {
      most = Math.max(most, memory());
      open = Math.max(open, descriptors());
    }, 100);
    try {
      await delay(500);
      expect((await call(port, neighbour, 'GET', '/ready')).http).toBe(200);
      const beside = await neighbourCalls();
      const [alone, during, mb] = [quiet, beside, most].map(Math.round);
      console.info(
        `${name}: a call takes ${alone} → ${during} ms, ${mb} MB, ${before} → ${open} descriptors`,
      );
      expect(most).toBeLessThan(600);
      expect(open).toBeLessThan(before + 4200);
    } finally {
      attack.stop();
      clearInterval(watch);
    }
    await expect.poll(descriptors).toBeLessThan(before + 20);
  });
});

it('a client logs in while others guess its password', async () => {
  const { out } = await wajah(settings, 'client', 'create', 'guessed', '--json');
  const { password } = JSON.parse(out) as { password: string };
  const attack = guessPasswords(port, 'guessed', addresses(8));
  try {
    for (let i = 0; i < 10; i++) {
      const credentials = JSON.stringify({ client_id: 'guessed', password });
      const answer = await call(port, neighbour, 'POST', '/oauth/client/token', credentials);
      expect(answer).toMatchObject({ http: 200, body: expect.stringContaining('access_token') });
      await delay(200);
    }
  } finally {
    attack.stop();
  }
});
