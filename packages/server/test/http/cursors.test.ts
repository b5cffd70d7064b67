import { type Endpoint, endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { startOnStore } from '../support/on-store.ts';
import { storeKinds } from '../support/postgres.ts';

const paged = Object.values(endpoints as Record<string, Endpoint>).filter(
  ({ request }) => 'cursor' in request.shape,
);
const cursorOf = (text: string) => Buffer.from(text).toString('base64url');

describe.each(storeKinds)('a cursor that no page has given, on %s,', async (kind) => {
  const { server } = await startOnStore(kind);
  const client = await server.client({ hits: 1000 });

  it.each(paged.map((endpoint) => [endpoint.path, endpoint] as const))(
    'is refused by %s',
    async (_, endpoint) => {
      for (const text of ['\0', 'a\0', '1 \0', '1 1 1 \0', '[1,1,"\0"]', '\u{1f600}\0']) {
        const fields = { facegallery_id: client.gallery, cursor: cursorOf(text) };
        const { body } = await client.call(endpoint, fields);
        expect([text, body.status, body.detail]).toEqual([text, '400', expect.stringMatching(/^cursor: /)]);
      }
    },
  );
});
