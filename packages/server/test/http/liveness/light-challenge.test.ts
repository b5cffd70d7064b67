import { endpoints } from '@wajah/contract';
import { expect, it } from 'vitest';
import { sharedEngine } from '../../../../engine/test/support/shared-engine.ts';
import { filmOf } from '../../support/film.ts';
import { startTestApp, type TestClient } from '../../support/test-app.ts';

const { createLivenessSession, submitLivenessSession } = endpoints;
/** Drawn heads are no photographs: spoof scores are tested on real pictures elsewhere. */
const env = { WAJAH_SPOOF_THRESHOLD: '1', WAJAH_UNCLEAR_SPOOF: 'accept' };

interface Session {
  readonly session_id: string;
  readonly steps: readonly string[];
  readonly light: readonly { readonly colour: string; readonly milliseconds: number }[];
}

const [ani, budi] = [await filmOf('ani'), await filmOf('budi')];
const engine = await sharedEngine();
const server = await startTestApp({ ...env, WAJAH_LIGHT_CHALLENGE: 'optional' }, { engine });
const strict = await startTestApp({ ...env, WAJAH_LIGHT_CHALLENGE: 'required' }, { engine });

async function open(client: TestClient, fields: object): Promise<Session> {
  const { body } = await client.call(createLivenessSession, { steps: 2, ...fields });
  expect(body.status).toBe('200');
  return body as unknown as Session;
}

/** Frames of a passed session are refused in later ones of every client: a call without lights uses other takes. */
async function submit(client: TestClient, { session_id, steps }: Session, light_frames?: object[]) {
  const frames = await ani.frames(steps, light_frames ? 0 : 3);
  const { body } = await client.call(submitLivenessSession, {
    session_id,
    frames,
    ...(light_frames && { light_frames }),
  });
  return body;
}

const named = (body: Record<string, unknown>, name: string) =>
  ((body['reasons'] as string[] | undefined) ?? []).some((reason) => reason.startsWith(`${name}: `));

it('a session shows secret lights on request, fewer than three changes a second', async () => {
  const client = await server.client();
  const { light, ...session } = await open(client, { light: true });
  expect(session).toMatchObject({ light_required: false });
  expect(light).toHaveLength(6);
  for (const { colour, milliseconds } of light) {
    expect(colour).toMatch(/^#(00|ff){3}$/);
    expect(milliseconds).toBeGreaterThanOrEqual(400);
  }
  const others = await Promise.all(Array.from({ length: 4 }, () => open(client, { light: true })));
  expect(new Set(others.map((other) => JSON.stringify(other.light))).size).toBeGreaterThan(1);
  expect(await open(client, {})).not.toHaveProperty('light');
});

it('a person whose face reflects the lights passes', async () => {
  const client = await server.client();
  const session = await open(client, { light: true });
  const body = await submit(client, session, await ani.lightFrames(session.light, 0.25));
  expect(body).toMatchObject({ liveness: 'passed', light: 'answered' });
});

it('frames that were taken under other lights fail', async () => {
  const client = await server.client();
  const [recorded, session] = [await open(client, { light: true }), await open(client, { light: true })];
  // Each channel is the opposite of what is shown, so no draw is like it by chance.
  const opposite = session.light.map(({ colour }) => ({
    colour: `#${(0xffffff - Number.parseInt(colour.slice(1), 16)).toString(16).padStart(6, '0')}`,
  }));
  expect(recorded.light).toHaveLength(6);
  const body = await submit(client, session, await ani.lightFrames(opposite, 0.25));
  expect(body).toMatchObject({ liveness: 'failed', light: 'not_answered' });
  expect(named(body, 'light')).toBe(true);
});

it('frames out of order and frames of another person fail', async () => {
  const client = await server.client();
  const first = await open(client, { light: true });
  const swapped = (await ani.lightFrames(first.light, 0.25)).reverse();
  const outOfOrder = await submit(client, first, swapped);
  expect([outOfOrder.liveness, named(outOfOrder, 'light')]).toEqual(['failed', true]);
  const second = await open(client, { light: true });
  const other = await submit(client, second, await budi.lightFrames(second.light, 0.25));
  expect([other.liveness, named(other, 'person')]).toEqual(['failed', true]);
});

it('without frames of the lights nothing is told; it fails only where the challenge is required', async () => {
  const client = await server.client();
  const body = await submit(client, await open(client, { light: true }));
  expect(body).toMatchObject({ liveness: 'passed', light: 'cannot_tell' });
  const other = await strict.client();
  const session = await open(other, {});
  expect(session).toMatchObject({ light_required: true });
  const refused = await submit(other, session);
  expect(refused).toMatchObject({ liveness: 'failed', light: 'cannot_tell' });
  expect(refused.reasons).toEqual([expect.stringMatching(/^light: .*reduced motion .* needs another way/)]);
});

it('a server without the setting refuses the request', async () => {
  const off = await startTestApp(env);
  const client = await off.client();
  const { body } = await client.call(createLivenessSession, { light: true });
  expect(body.status).toBe('400');
  expect(body.detail).toContain('WAJAH_LIGHT_CHALLENGE');
});
