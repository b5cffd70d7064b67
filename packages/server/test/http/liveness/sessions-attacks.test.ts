import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changed } from '../../../../engine/test/support/changed.ts';
import { sharedEngine } from '../../../../engine/test/support/shared-engine.ts';
import { filmOf } from '../../support/film.ts';
import { type Judged, newClient, openSession, submitFrames } from '../../support/liveness-sessions.ts';
import { rounds } from '../../support/rounds.ts';
import { startTestApp } from '../../support/test-app.ts';

interface Frame {
  readonly step: string;
  readonly image: string;
  readonly captured_at: string;
}

const engine = await sharedEngine();
const ani = await filmOf('ani');
const server = await startTestApp({ WAJAH_SPOOF_THRESHOLD: '1', WAJAH_UNCLEAR_SPOOF: 'accept' }, { engine });

async function filmed(steps: readonly string[], take: number): Promise<Frame[]> {
  const frames = await ani.frames(steps, take);
  const start = Date.now();
  return frames.map((frame, i) => ({ ...frame, captured_at: new Date(start + i * 100).toISOString() }));
}

/** Refused by status, or failed with a reason that has a name; never with a token. */
function expectRefused(body: Judged) {
  expect(body).not.toHaveProperty('liveness_token');
  if (body.status === '419') return;
  expect(body).toMatchObject({ status: '200', liveness: 'failed' });
  expect(body.reasons!.length).toBeGreaterThan(0);
  for (const reason of body.reasons!)
    expect(reason).toMatch(/^(order|time|step|repeat|replay|person|flat): /);
}

const steps = fc.integer({ min: 2, max: 5 });
const order = (length: number) => fc.shuffledSubarray([...Array(length).keys()], { minLength: length });

describe('a session that differs from the challenge is refused:', () => {
  it('frames in any other order, with their own times or with swapped times', async () => {
    let orders = 0;
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 0, max: 1 }), fc.gen(), async (n, take, g) => {
        const permutation = g(order, n + 2);
        const client = await newClient(server);
        const session = await openSession(client, { steps: n });
        const frames = await filmed(session.steps, take);
        const moved = permutation.map((from) => frames[from]!);
        const inPlace = permutation.every((from, to) => from === to);
        if (inPlace) {
          expect(await submitFrames(client, session.session_id, frames)).toMatchObject({
            liveness: 'passed',
          });
          return;
        }
        expectRefused(await submitFrames(client, session.session_id, moved));
        orders++;

        const other = await newClient(server);
        const second = await openSession(other, { steps: n });
        const own = await filmed(second.steps, take);
        const swapped = own.map((frame, to) => ({ ...frame, image: own[permutation[to]!]!.image }));
        // Two frames of the same step may be swapped.
        if (permutation.every((from, to) => own[from]!.step === own[to]!.step)) return;
        expectRefused(await submitFrames(other, second.session_id, swapped));
        orders++;
      }),
      { numRuns: rounds(4) },
    );
    console.info(`${orders} orders refused`);
  });

  it('a passed session sent again, to itself or to another session', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), fc.gen(), async (n, encodeAgain, g) => {
        const client = await newClient(server);
        const session = await openSession(client, { steps: n });
        const frames = await filmed(session.steps, 0);
        expect(await submitFrames(client, session.session_id, frames)).toMatchObject({ liveness: 'passed' });
        expectRefused(await submitFrames(client, session.session_id, frames));

        const again = await openSession(client, { steps: n });
        const known = new Map(frames.map(({ step, image }) => [step, image]));
        const fresh = await filmed(again.steps, 2);
        const some = g(fc.subarray, [...fresh.keys()], { minLength: 1 });
        // One frame that was encoded again is not always seen again; all of them are.
        const taken = (i: number) => encodeAgain || some.includes(i);
        const replayed = fresh.map((frame, i) => (taken(i) ? (known.get(frame.step) ?? null) : null));
        if (replayed.every((image) => image === null)) return;
        const mixed = await Promise.all(
          fresh.map(async (frame, i) => {
            const image = replayed[i];
            if (!image) return frame;
            return { ...frame, image: encodeAgain ? await brighter(image) : image };
          }),
        );
        expectRefused(await submitFrames(client, again.session_id, mixed));
      }),
      { numRuns: rounds(3) },
    );
  });

  it('fewer or more frames than steps', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.gen(), async (n, g) => {
        const client = await newClient(server);
        const session = await openSession(client, { steps: n });
        const frames = await filmed(session.steps, 1);
        const at = g(fc.integer, { min: 0, max: frames.length - 1 });
        const less = frames.filter((_, i) => i !== at);
        const more = [...frames, ...(await filmed(['face left', 'face front'], 3))];
        expectRefused(await submitFrames(client, session.session_id, g(fc.boolean) ? less : more));
      }),
      { numRuns: rounds(2) },
    );
  });
});

async function brighter(image: string): Promise<string> {
  return (await changed(Buffer.from(image, 'base64'), 'brighter')).toString('base64');
}
