import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { createTemplateVault } from '../../../packages/server/src/security/vaults/template-vault.ts';
import { newClient } from '../../support/enrolling.ts';
import { Run, type Settings, serve, wajah } from '../../support/program.ts';
import { killWhen, type Place } from './place.ts';

const rounds = 2;
const mostKills = 12;
/** Galleries of a client that makes no calls, and faces in each. */
const [galleries, faces] = [40, 200];
const template = Float32Array.from({ length: 512 }, (_, i) => Math.sin(i));

/** Two callers lose nothing, every token stays valid, and the last key opens every template. */
export async function keysAreRotated(place: Place): Promise<void> {
  let { key } = place;
  const settings = { ...place.settings, WAJAH_CALLS_PER_MINUTE: '1000000' };
  const keyed = (former?: Buffer): Settings => ({
    ...settings,
    WAJAH_SECRET_KEY: key.toString('hex'),
    ...(former && { WAJAH_SECRET_KEY_FORMER: former.toString('hex') }),
  });
  const client = await newClient(keyed(), 'alice');
  // All faces of the gallery are of one person: statistics of its people would say nothing.
  await wajah(keyed(), 'gallery', 'calibration', 'alice', 'alice@trial', 'off');
  await fill(place, key);
  let server = await serve(keyed());
  const load = startLoad(client, () => server.url);
  const tokens = [client.token];
  /** Galleries that were not sealed anew when the server was killed. */
  const pending: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const rotated = await wajah(keyed(), 'keys', 'rotate', '--json');
    expect(rotated).toMatchObject({ code: 0 });
    tokens.push(await newToken(keyed()));
    const former = key;
    key = randomBytes(32);
    await server.stop('SIGKILL');
    pending.push(...(await killWhileSealing(keyed(former))));
    server = await serve(keyed(former));
    await load.served(20);
    const isDone = async () => (await statusOf(keyed(former))).done;
    await expect.poll(isDone, { interval: 500 }).toBe(true);
    await server.stop('SIGKILL');
    server = await serve(keyed());
    await load.served(20);
  }
  const { enrolled, removed, calls, failed } = await load.stop();
  expect(pending.some((left) => left > 0)).toBe(true);
  console.info(
    `${calls} calls, ${enrolled.size} enrolled, ${removed.size} removed, ${failed} cut off; pending at kills: ${pending}`,
  );

  const { faces: listed } = (await client.list(server.url)) as unknown as { faces: { user_id: string }[] };
  const stored = new Set(listed.map(({ user_id }) => user_id));
  expect([...enrolled].filter((user) => !removed.has(user) && !stored.has(user))).toEqual([]);
  expect([...removed].filter((user) => stored.has(user))).toEqual([]);
  for (const user of [...stored].slice(0, 5)) {
    expect(await client.verify(server.url, user, 'ani')).toMatchObject({ status: '200', verified: true });
  }
  for (const token of tokens) {
    const answer = await fetch(`${server.url}/face-api/client/get-counters`, {
      headers: { accesstoken: token },
    });
    expect(answer.status).toBe(200);
  }
  expect((await wajah(keyed(), 'audit', 'verify')).code).toBe(0);
  await server.stop('SIGTERM');
  await expectFilled(place, key);
}

/**
 * Starts the server and kills it when it has sealed some galleries anew, again and again until all are.
 * @returns galleries that were left after each kill
 */
async function killWhileSealing(settings: Settings): Promise<number[]> {
  const left = [(await statusOf(settings)).pending_galleries];
  while (left.length <= mostKills && left.at(-1) !== 0) {
    const run = new Run(settings, ['serve']);
    await killWhen(run, async () => {
      const { code, out } = await wajah(settings, 'keys', 'status', '--json');
      // A server that is starting answers no commands yet.
      return code === 0 && (JSON.parse(out) as Status).pending_galleries < left.at(-1)!;
    });
    left.push((await statusOf(settings)).pending_galleries);
  }
  return left.slice(1);
}

async function newToken(settings: Settings): Promise<string> {
  const made = await wajah(
    settings,
    'client',
    'create',
    `client-${randomBytes(4).toString('hex')}`,
    '--json',
  );
  return (JSON.parse(made.out) as { access_token: string }).access_token;
}

interface Status {
  readonly done: boolean;
  readonly pending_galleries: number;
}

async function statusOf(settings: Settings): Promise<Status> {
  const { out, err } = await wajah(settings, 'keys', 'status', '--json');
  expect(err).toBe('');
  return JSON.parse(out);
}

/** Galleries that are worth some seconds of sealing. */
async function fill(place: Place, key: Buffer): Promise<void> {
  const store = await place.openStore();
  const vault = createTemplateVault(key);
  const quota = { hits: -1, faces: -1, galleries: -1 };
  await store.clients.create({ clientId: 'filler', passwordHash: null, quota });
  await store.clients.register('filler', new Date());
  for (let i = 0; i < galleries; i++) {
    const gallery = await store.galleries.create('filler', `${i}`, (id) => vault.wrapNewKey('filler', id));
    if (typeof gallery === 'string') throw new Error(gallery);
    const opened = vault.gallery(gallery);
    const write = (userId: string) =>
      store.faces.enrol(
        gallery.id,
        {
          userId,
          userName: userId,
          template: opened.seal(userId, template),
          embeddingSpec: '{"pack":"another"}',
        },
        false,
      );
    await Promise.all(Array.from({ length: faces }, (_, face) => write(`${face}`)));
  }
  await store.close();
}

/** Opens every template with the last master key alone. */
async function expectFilled(place: Place, key: Buffer): Promise<void> {
  const store = await place.openStore();
  const vault = createTemplateVault(key);
  const all = await store.galleries.list('filler');
  expect(all).toHaveLength(galleries);
  for (const gallery of all) {
    expect(gallery.formerKey).toBeNull();
    const opened = vault.gallery(gallery);
    const slice = await store.faces.slice(gallery.id, 0, 2 * faces);
    expect(slice!.faces).toHaveLength(faces);
    for (const { userId, template: sealed } of slice!.faces)
      expect(opened.open(userId, sealed)).toEqual(template);
  }
  await store.close();
}

type Client = Awaited<ReturnType<typeof newClient>>;

/** Two callers that enrol, verify and remove; a call that a kill cuts off counts for neither side. */
function startLoad(client: Client, url: () => string) {
  const [enrolled, removed] = [new Set<string>(), new Set<string>()];
  const wrong: unknown[] = [];
  let [calls, failed, stopping] = [0, 0, false];
  const call = async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      const { status } = (await work()) as { status: string };
      calls += 1;
      if (status !== '200' && status !== '503') wrong.push(status);
      return status === '200';
    } catch (error) {
      if (!(error instanceof TypeError) && !(error instanceof SyntaxError)) wrong.push(String(error));
      failed += 1;
      await pause(100);
      return false;
    }
  };
  const lane = async (number: number): Promise<void> => {
    for (let i = 0; !stopping; i++) {
      const user = `user-${number}-${i}`;
      const isThere = await call(() => client.tryEnrol(url(), user, 'ani'));
      if (!isThere) continue;
      enrolled.add(user);
      await call(() => client.verify(url(), user, 'ani'));
      await call(() => client.identify(url(), 'ani'));
      if (i % 3 !== 0) continue;
      // Whether it is removed when the answer is cut off is unknown.
      if (await call(() => client.remove(url(), user))) removed.add(user);
      else enrolled.delete(user);
    }
  };
  const lanes = [lane(0), lane(1)];
  return {
    /** Resolves when so many further calls were answered. */
    async served(count: number): Promise<void> {
      const before = calls;
      await expect.poll(() => calls - before).toBeGreaterThanOrEqual(count);
    },
    async stop() {
      stopping = true;
      await Promise.all(lanes);
      expect(wrong).toEqual([]);
      return { enrolled, removed, calls, failed };
    },
  };
}
