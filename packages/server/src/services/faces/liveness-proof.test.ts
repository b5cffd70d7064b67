import { expect, it } from 'vitest';
import { drawnFace } from '../../../../engine/test/drawn/drawn-face.ts';
import { openStand } from '../../../test/support/stand.ts';
import { Refusal } from '../../errors.ts';
import { faceDigest } from '../../security/tokens/liveness-tokens.ts';
import { embeddingSpecText } from '../galleries/embedding-spec.ts';

const stand = await openStand();
const request = { attributes: ['embedding'], maxFaces: 1, search: 'fast' } as const;
const templateOf = async (person: 'ani' | 'budi') =>
  (await stand.deps.engine.analyze(await drawnFace({ person }), request)).faces[0]!.embedding!;
const template = await templateOf('ani');
await stand.services.clients.register(stand.caller('alice'));

/** The token of a session that a server with this embedding spec has passed, spent by this server. */
async function spend(
  sessionId: string,
  embeddingSpec: string,
  passed: Float32Array,
  sent = [template],
): Promise<void> {
  const { store, sessionVault, livenessTokens } = stand.deps;
  const now = new Date();
  const until = new Date(now.getTime() + 300_000);
  const session = {
    id: sessionId,
    clientId: 'alice',
    steps: [],
    nonce: 'nonce',
    galleryId: null,
    userId: null,
    subject: null,
    createdAt: now,
    expiresAt: until,
  };
  await store.sessions.create(session);
  await store.sessions.claim('alice', sessionId, now);
  const sealed = sessionVault.seal({ clientId: 'alice', sessionId, embeddingSpec }, passed);
  await store.sessions.storeTemplate('alice', sessionId, { template: sealed, until });
  const claims = { clientId: 'alice', sessionId, nonce: 'nonce', face: faceDigest(sealed) };
  const read = await stand.services.parts.liveness.read(
    stand.caller('alice'),
    await livenessTokens.issue(claims),
  );
  await read!.spend(sent, 'image');
}

it('a liveness token of the pack of this server proves the same face', async () => {
  await spend('own', embeddingSpecText(stand.deps.engine.embeddingSpec), template);
});

it('a liveness token proves each of several pictures, or none', async () => {
  const spec = embeddingSpecText(stand.deps.engine.embeddingSpec);
  await spend('several', spec, template, [template, template]);
  const withAnother = spend('with another', spec, template, [template, await templateOf('budi')]);
  await expect(withAnother).rejects.toMatchObject({ status: 'livenessNotProven' });
});

it('a liveness token of a server of another pack is refused', async () => {
  const spent = spend('other', '{"pack":"other"}', template);
  await expect(spent).rejects.toThrow(Refusal);
  await expect(spent).rejects.toMatchObject({ status: 'livenessNotProven' });
});
