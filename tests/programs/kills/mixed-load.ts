import { expect } from 'vitest';
import { PostgresServer } from '../../../packages/server/test/support/postgres.ts';
import { rounds } from '../../../packages/server/test/support/rounds.ts';
import { type Json, newClient, picture } from '../../support/enrolling.ts';
import { type Settings, serve, wajah } from '../../support/program.ts';
import type { Place } from './place.ts';

const callers = 6;
const quota = 100_000;

type Client = Awaited<ReturnType<typeof newClient>>;

/** What the calls of a round were answered. */
interface Round {
  /** Charged calls with an answer of their own. */
  answered: number;
  /** Charged calls without one, or refused because the store was away: it is unknown whether they count. */
  cut: number;
}

/** Users by what was acknowledged. */
interface Acknowledged {
  readonly enrolled: Set<string>;
  readonly removed: Set<string>;
}

type Server = Awaited<ReturnType<typeof serve>>;
type Load = ReturnType<typeof startLoad>;

/** While a server is killed under calls of all kinds. */
export function callsAreCounted({ kind, settings }: Place): Promise<void> {
  return underLoad(kind, settings, rounds(1), async (server, load, round) => {
    await load.answers(20 + ((round * 17) % 40));
    await server.stop('SIGKILL');
    return null;
  });
}

/** While the database of a server crashes or is away for a while. */
export async function callsAreCountedInFaults({ kind, settings }: Place): Promise<void> {
  const database = await PostgresServer.start();
  const own = { ...settings, WAJAH_DATABASE_URL: await database.database() };
  await underLoad(kind, own, rounds(2), async (server, load, round) => {
    await load.answers(10);
    if (round % 2 === 0) database.restart('immediate');
    else {
      database.stop('fast');
      await load.failures(3);
      database.start();
    }
    await load.answers(10);
    return server;
  });
}

/**
 * Nothing acknowledged is lost, each answered call is counted once, and the audit trail is whole.
 * @param hurt @returns the server, or null when it is to be started again
 */
async function underLoad(
  kind: string,
  given: Settings,
  faults: number,
  hurt: (server: Server, load: Load, round: number) => Promise<Server | null>,
): Promise<void> {
  // Drawn heads are no photographs.
  const settings = {
    ...given,
    WAJAH_CALLS_PER_MINUTE: '1000000',
    WAJAH_SPOOF_THRESHOLD: '1',
    WAJAH_UNCLEAR_SPOOF: 'accept',
  };
  const client = await newClient(settings, 'acme');
  // All faces of the gallery are of one person: statistics of its people would say nothing.
  await wajah(settings, 'gallery', 'calibration', 'acme', 'acme@trial', 'off');
  await setQuota(settings, quota);
  const seen: Acknowledged = { enrolled: new Set(), removed: new Set() };
  let calls = 0;
  let server = await serve(settings);
  // Nobody is identified while the callers have removed whom they enrolled.
  expect(await client.tryEnrol(server.url, 'stays', 'ani')).toMatchObject({ status: '200' });
  seen.enrolled.add('stays');
  let used = await usedHits(client, server.url);
  for (let round = 0; round < faults; round++) {
    const load = startLoad(client, server.url, `${round}`, seen);
    const next = await hurt(server, load, round);
    const { answered, cut } = await load.stop();
    server = next ?? (await serve(settings));
    const now = await usedHits(client, server.url);
    expect(now - used).toBeGreaterThanOrEqual(answered);
    expect(now - used).toBeLessThanOrEqual(answered + cut);
    await expectKept(client, server.url, seen);
    // That takes a call itself.
    used = await usedHits(client, server.url);
    calls += answered;
  }
  await expectExact(settings, client, server.url, used);
  await server.stop('SIGTERM');
  expect((await wajah(settings, 'audit', 'verify')).code).toBe(0);
  console.info(`${kind}: ${faults} faults under a mixed load, ${calls} answered calls`);
}

async function setQuota(settings: Settings, hits: number): Promise<void> {
  expect(await wajah(settings, 'client', 'set-quota', 'acme', '--hits', `${hits}`)).toMatchObject({
    code: 0,
  });
}

/** Each caller enrols a user, verifies, lists, identifies, and removes every other user. */
function startLoad(client: Client, url: string, name: string, { enrolled, removed }: Acknowledged) {
  const round: Round = { answered: 0, cut: 0 };
  let running = true;
  const charged = async (work: () => Promise<Json>): Promise<boolean> => {
    const answer = await work().catch((): Json => ({ status: 'cut' }));
    const isAnswered = answer.status !== 'cut' && answer.status !== '503';
    if (isAnswered) expect(answer).toMatchObject({ status: '200' });
    round[isAnswered ? 'answered' : 'cut'] += 1;
    return isAnswered;
  };
  const caller = async (n: number) => {
    for (let i = 0; running; i++) {
      const user = `${name}-${n}-${i}`;
      if (await charged(() => client.tryEnrol(url, user, 'ani', { force_register: true }))) {
        enrolled.add(user);
        await charged(() => client.verify(url, user, 'ani'));
        if (i % 2 === 0 && running) {
          // It may be gone without an answer.
          enrolled.delete(user);
          if (await charged(() => client.remove(url, user))) removed.add(user);
        }
      }
      if (running) await charged(() => client.list(url));
      if (running) await charged(() => client.identify(url, 'ani'));
    }
  };
  const done = Promise.all(Array.from({ length: callers }, (_, n) => caller(n)));
  const more = async (of: keyof Round, count: number) => {
    const until = round[of] + count;
    await Promise.race([expect.poll(() => round[of]).toBeGreaterThan(until), done]);
  };
  return {
    answers: (count: number) => more('answered', count),
    failures: (count: number) => more('cut', count),
    async stop(): Promise<Round> {
      running = false;
      await done;
      return round;
    },
  };
}

async function usedHits({ token }: Client, url: string): Promise<number> {
  const asked = async () => {
    const headers = { accesstoken: token };
    const answer = await fetch(`${url}/face-api/client/get-counters`, { headers });
    return (await answer.json()) as { remaining_limit?: { n_api_hits: number } };
  };
  await expect.poll(asked).toHaveProperty('remaining_limit');
  return quota - (await asked()).remaining_limit!.n_api_hits;
}

async function expectKept(client: Client, url: string, seen: Acknowledged): Promise<void> {
  const { faces } = (await client.list(url)) as unknown as { faces: { user_id: string }[] };
  const stored = new Set(faces.map(({ user_id }) => user_id));
  expect([...seen.enrolled].filter((user) => !stored.has(user))).toEqual([]);
  expect([...seen.removed].filter((user) => stored.has(user))).toEqual([]);
}

/** Of many calls at once the last ones of a quota are served, no more and no less. */
async function expectExact(settings: Settings, client: Client, url: string, used: number): Promise<void> {
  const left = 150;
  await setQuota(settings, used + left);
  const image = await picture('ani', true);
  const user_id = 'nobody';
  const answers: Json[] = [];
  const caller = async () => {
    for (let i = 0; i < left / 10; i++) answers.push(await client.list(url));
    answers.push(await client.verifyWith(url, { user_id, image }));
  };
  await Promise.all(Array.from({ length: 16 }, caller));
  expect(answers.filter(({ status }) => status !== '403')).toHaveLength(left);
  const all = `n_api_hits=${used + left} `;
  expect((await wajah(settings, 'client', 'list')).out).toMatch(new RegExp(`${all}.*${all}`));
}
