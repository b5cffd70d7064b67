import { type Endpoint, endpointList } from '@wajah/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { long, rounds } from '../support/long.ts';
import { startTestApp, type TestApp, type TestClient } from '../support/test-app.ts';

let server: TestApp;
let client: TestClient;

beforeAll(async () => {
  server = await startTestApp();
  client = await server.client();
});
afterAll(() => server.close());

// After an erasure of the client, all further calls would have the same answer.
const targets = endpointList.filter(({ id }) => id !== 'deleteClient');
const fields = [...new Set(targets.flatMap(({ request }) => Object.keys(request.shape)))];
const words = fc.constantFrom('true', '8', 'face left', 'client-1@trial', 'aGVsbG8=', '/9j/4AAQ', '');
const value = fc.oneof(words, fc.jsonValue({ maxDepth: 2 }), fc.string({ unit: 'binary' }));
const request = fc.oneof(
  fc.dictionary(fc.constantFrom(...fields, '__proto__', 'constructor'), value),
  fc.jsonValue(),
);

async function send({ methods, path }: Endpoint, payload: string | Buffer) {
  const headers = { accesstoken: client.token, 'content-type': 'application/json' };
  const answer = await server.app.inject({ method: methods[0], url: path, headers, payload });
  expect(answer.statusCode).not.toBe(500);
  const body = answer.json();
  if (answer.statusCode >= 400) {
    expect(body).toMatchObject({ status: expect.any(String), status_message: expect.any(String) });
    expect(body.detail.length).toBeGreaterThan(10);
  }
  return body;
}

describe('any body', () => {
  it('of JSON is answered, or refused with a row of the status table', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...targets), request, async (endpoint, given) => {
        await send(endpoint, JSON.stringify(given));
      }),
      { numRuns: rounds(100, 2000) },
    );
  });

  it('of bytes is answered, or refused with a row of the status table', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...targets),
        fc.uint8Array({ maxLength: 200 }),
        async (endpoint, given) => {
          await send(endpoint, Buffer.from(given));
        },
      ),
      { numRuns: rounds(40, 500) },
    );
  });

  it.each(['[', '{"trx_id":', '{"face_parameters":', '{"batch":['])(
    'nested a hundred thousand deep after %s is refused',
    async (start) => {
      const depth = 100_000;
      // What is common to all bodies is tried on a few; a field, on all that have it.
      const field = /\w+/.exec(start)?.[0];
      const asked = targets.filter(({ request }) => field !== undefined && field in request.shape);
      for (const endpoint of long || asked.length === 0 ? targets : asked.slice(0, 5)) {
        if (endpoint.auth !== 'token') continue;
        await send(endpoint, start + '['.repeat(depth));
        const closing = start.includes('{') ? (start.endsWith('[') ? ']}' : '}') : ']';
        await send(endpoint, start + '['.repeat(depth) + ']'.repeat(depth) + closing);
      }
    },
  );
});
