import { type CallOptions, calls, type WajahClient } from '@wajah/client';
import { type Endpoint, endpointList } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readyFields } from '../../server/test/http/fixture.ts';
import { drawPictures, type TestClient } from '../../server/test/support/test-app.ts';
import { openTestServer } from './test-server.ts';

type AnyCall = (fields?: object, options?: CallOptions) => Promise<Record<string, unknown>>;

const callOf = (wajah: WajahClient, { id }: Endpoint) => (wajah as unknown as Record<string, AnyCall>)[id]!;

describe('the table of calls', () => {
  it('never sends a body with GET, which a browser cannot', () => {
    const both = endpointList.filter(({ methods }) => methods.includes('GET') && methods.includes('POST'));
    expect(both.length).toBeGreaterThan(2);
    for (const { id } of both) expect([id, calls[id as keyof typeof calls].method]).not.toEqual([id, 'GET']);
  });

  it('treats the same fields as pictures as the contract does', () => {
    const named = endpointList.flatMap((endpoint) =>
      pictureFields(z.toJSONSchema(endpoint.request, { io: 'input' })),
    );
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => name !== 'image' && !name.endsWith('_image'))).toEqual([]);
  });
});

/** Names of the fields that are base64, at any depth. */
function pictureFields(schema: z.core.JSONSchema.BaseSchema): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    if (typeof field !== 'object') return [];
    const items = typeof field.items === 'object' && !Array.isArray(field.items) ? field.items : {};
    return [
      ...(field.contentEncoding === 'base64' ? [name] : []),
      ...pictureFields(field),
      ...pictureFields(items),
    ];
  });
}

const [testServer, pictures] = await Promise.all([
  openTestServer({ WAJAH_KEEP_FACE_CROPS: 'true', WAJAH_WEBHOOKS: 'true' }),
  drawPictures(),
]);

describe('every endpoint, called at the real server', () => {
  const enrolled = async () => {
    const { wajah, account } = await testServer.login();
    const fields = { user_id: 'ani', user_name: 'Ani', facegallery_id: account.gallery, image: pictures.ani };
    await wajah.enrolFace(fields);
    return { wajah, account };
  };

  const fieldsOf = async (endpoint: Endpoint, account: TestClient) => {
    if (endpoint.auth === 'token') return readyFields(endpoint, account, pictures);
    if (endpoint.id === 'changePassword') return { new_password: 'another password' };
    return endpoint.id === 'token' ? { grant_type: 'client_credentials' } : {};
  };

  it.each(endpointList)('$id', async (endpoint) => {
    const { wajah, account } = await enrolled();
    const answer = await callOf(wajah, endpoint)(await fieldsOf(endpoint, account));
    expect(endpoint.answer.safeParse(answer).error).toBeUndefined();
    if ('status' in answer) expect(answer['status']).toBe('200');
  });
});
