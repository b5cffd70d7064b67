import { endpoints } from '@wajah/contract';
import { expect } from 'vitest';
import type { TestApp, TestClient } from './test-app.ts';

/** The answer of a submission. */
export interface Judged {
  readonly status: string;
  readonly liveness?: string;
  readonly reasons?: string[];
  readonly results?: readonly { step: string; match: boolean; frame: number }[];
  readonly liveness_token?: string;
}

/** A client of a server without earlier frames, so a refusal is caused by the submission itself. */
export async function newClient(server: TestApp): Promise<TestClient> {
  await server.forgetFrames();
  return server.client();
}

export async function openSession(client: TestClient, fields: object = {}) {
  const { body } = await client.call(endpoints.createLivenessSession, fields);
  expect(body.status).toBe('200');
  return body as { session_id: string; steps: string[]; nonce: string; expires_at: string };
}

export async function submitFrames(
  client: TestClient,
  session_id: string,
  frames: readonly object[],
  more: object = {},
): Promise<Judged> {
  const { body } = await client.call(endpoints.submitLivenessSession, { session_id, frames, ...more });
  return body;
}
