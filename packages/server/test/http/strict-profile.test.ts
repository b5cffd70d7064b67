// An answer gets a new field: programs of the cloud, whose decoders may refuse it, must not see it.
import type { OwnEndpoint } from '@wajah/contract';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';

// Modules of its own, whose schemas get a field: other files read theirs.
vi.resetModules();
afterAll(() => void vi.resetModules());
const { endpointList, isSpecified, ownForm, refusalAnswer, specifiedPart } = await import('@wajah/contract');
const { face } = await import('../support/store.ts');
const { drawPictures, startTestApp } = await import('../support/test-app.ts');
const { readyFields } = await import('./fixture.ts');

/** Adds a field, which is always there, to a schema and to all that it contains. */
function addField(schema: z.ZodType): void {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    addField(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodArray) addField(schema.element as z.ZodType);
  if (schema instanceof z.ZodRecord) addField(schema.valueType as z.ZodType);
  if (!(schema instanceof z.ZodObject) || 'novelty' in schema.shape) return;
  for (const field of Object.values(schema.shape)) addField(field as z.ZodType);
  Object.assign(schema.shape, { novelty: z.string().default('new') });
}

const specified = endpointList.filter(isSpecified);
// Before anything reads them.
for (const { answer } of specified) addField(answer);

const [server, pictures] = await Promise.all([startTestApp({ WAJAH_COMPAT: 'risetai' }), drawPictures()]);

/** The answer of a call in the strict profile, or in the own form. */
async function answerTo(endpoint: OwnEndpoint, form?: string): Promise<string> {
  const client = await server.client();
  await client.enrol('ani', pictures.ani);
  const { methods, path: url } = endpoint;
  const headers = { accesstoken: client.token, ...(form !== undefined && { accept: form }) };
  const payload = await readyFields(endpoint, client, pictures);
  return (await server.app.inject({ method: methods[0], url, headers, payload })).body;
}

describe('a field that is not marked as the specification’s', () => {
  it.each(specified.map((endpoint) => [endpoint.id, endpoint] as const))(
    'of %s is told in the own form alone',
    async (_, endpoint) => {
      const own = await answerTo(endpoint, ownForm);
      expect(own).toContain('"novelty":"new"');
      expect(JSON.parse(own).status).toBe('200');
      const strict = await answerTo(endpoint);
      expect(JSON.parse(strict).risetai.status).toBe('200');
      expect(strict).not.toContain('novelty');
    },
  );

  it('of a list that is written while it is read is not told', async () => {
    const client = await server.client();
    const { id } = (await server.context.store.galleries.get(client.id, client.gallery))!;
    const people = Array.from({ length: 2500 }, (_, i) =>
      server.context.store.faces.put(id, face(`u${i}`), false),
    );
    await Promise.all(people);
    const { body } = await client.call(endpointList.find(({ id }) => id === 'listFaces')!, {
      facegallery_id: client.gallery,
    });
    expect(body.risetai.faces).toHaveLength(2500);
    for (const row of body.risetai.faces) expect(Object.keys(row)).toEqual(['user_id', 'user_name']);
  });

  it('of a refusal is not told', () => {
    const envelope = { status: '400', status_message: 'Request malformed' };
    const refusal = {
      ...envelope,
      error: 'e',
      params: {},
      detail: 'd',
      trx_id: 't',
      novelty: 'new',
      rules: [],
    };
    for (const { miss = refusalAnswer } of specified) expect(specifiedPart(miss, refusal)).toEqual(envelope);
  });
});
