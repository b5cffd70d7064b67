import { expect } from 'vitest';
import { sharedEngine } from '../../../engine/test/support/shared-engine.ts';
import { loadConfig } from '../../src/config/config.ts';
import { checkTrail } from '../../src/features/audit/trail.ts';
import { planUpgrade } from '../../src/operations/upgrade.ts';
import { digestOf } from '../../src/security/tokens/api-tokens.ts';
import { createTemplateVault } from '../../src/security/vaults/template-vault.ts';
import { openCore } from '../../src/server/context.ts';
import { createLogger } from '../../src/server/logger.ts';
import type { Migration } from '../../src/store/database/schema.ts';
import type { Store } from '../../src/store/ports/store.ts';
import { activityStore } from './activity.ts';
import { type ReleasedRows, releasedKey } from './released-schemas.ts';
import { face } from './store.ts';
import { webhookStore } from './webhooks.ts';

const vault = createTemplateVault(Buffer.from(releasedKey, 'hex'));

/** Settings of the server that goes on with the data; nothing is so old that it is erased. */
export const releasedSettings = {
  WAJAH_SECRET_KEY: releasedKey,
  WAJAH_AUDIT_DAYS: '0',
  WAJAH_EVENT_DAYS: '3650',
};

/** The plan of an upgrade is of all steps after a schema. */
export async function requirePlan(env: Record<string, string>, schema: number, all: readonly Migration[]) {
  const plan = await planUpgrade(loadConfig({ ...releasedSettings, ...env }));
  expect(plan).toMatchObject({ schema, newestSchema: all.at(-1)?.number });
  const later = all.filter(({ number }) => number > schema);
  expect(plan.migrations.map(({ name }) => name)).toEqual(later.map(({ name }) => name));
}

/** Everything that the server of the schema wrote reads in a store, and it is written to. */
export async function requireEverything(store: Store, { rows, token }: ReleasedRows): Promise<void> {
  expect(await store.clients.get('acme')).toMatchObject({
    quota: { faces: 7 },
    used: { faces: 2, galleries: 3 },
  });
  expect((await store.clients.get('acme'))?.used.hits).toBeGreaterThan(5);
  const gallery = (await store.galleries.get('acme', 'acme@staff'))!;
  expect(gallery).toMatchObject({ faces: 2, requireLiveness: false });
  expect(gallery.threshold).toBe(0.6);
  const spec = JSON.parse(gallery.embeddingSpec ?? '{}') as { dimensions: number };
  const people = await store.faces.list(gallery.id);
  expect(people.map(({ userId, userName }) => [userId, userName])).toEqual([
    ['3174001', 'Sri Rahayu'],
    ['3174002', "Budi Ma'ruf"],
  ]);
  const opened = vault.gallery(gallery);
  for (const { userId } of people) {
    const template = opened.open(userId, (await store.faces.get(gallery.id, userId))!.template);
    expect(template.length).toBe(spec.dimensions);
    expect(Math.hypot(...template)).toBeCloseTo(1, 3);
  }
  const crops = await store.crops.get(gallery.id, '3174001');
  expect(crops.length).toBe(1);
  for (const crop of crops) expect(opened.openCrop('3174001', crop)).toBeDefined();
  expect(await store.tokens.find(digestOf(token))).toMatchObject({ clientId: 'acme', revokedAt: null });
  const old = (await store.tokens.list('acme')).find(({ name }) => name === 'old');
  expect(old?.revokedAt).toBeInstanceOf(Date);
  expect((await store.audit.list({ limit: 99 })).map(({ event }) => event)).toContain('face_enrolled');
  const refused = (await activityStore(store).refusedCalls('acme', { limit: 99 })).map(({ call }) => call);
  expect(refused.map(({ status }) => status)).toContain('415');
  // Of a former version it is the sentence alone.
  for (const { error, params, detail } of refused)
    expect([error === null, typeof detail]).toEqual([params === null, 'string']);
  await requireRowsOfPeople(store, gallery.id);
  const sessions = rows.filter(([table]) => table === 'liveness_sessions');
  const links = rows.filter(([table]) => table === 'expected_links');
  expect(sessions.length).toBe(2 + links.length);
  const found = await Promise.all(
    sessions.map(([, { id }]) => store.sessions.find('acme', String(id), new Date(0))),
  );
  expect(found).toEqual(expect.arrayContaining(['judged', expect.objectContaining({ userId: null })]));

  // And it goes on.
  expect(
    await store.faces.put(gallery.id, { ...face('new'), embeddingSpec: gallery.embeddingSpec! }, false),
  ).toBe(gallery.version + 1);
  expect(await store.faces.remove(gallery.id, 'new')).toBe(gallery.version + 2);
}

/** Webhooks, consents, pairs that are marked, pictures and what a key of CompreFace is bound to. */
async function requireRowsOfPeople(store: Store, gallery: number): Promise<void> {
  expect(await webhookStore(store).list('acme')).toHaveLength(1);
  const terms = await Promise.all(['3174001', '3174002'].map((id) => store.people.get(gallery, id)));
  expect(terms[0]?.consent?.reference).toBe('form-7');
  expect(terms.map(({ suspendedAt }) => suspendedAt !== null)).toEqual([false, true]);
  expect(await store.differentPeople.listOf(gallery, '3174001')).toEqual(['3174002']);
  const pictures = await store.pictures.page(gallery, { offset: 0, limit: 9 });
  expect(pictures.map(({ userId, place }) => [userId, place])).toEqual([['3174001', 0]]);
  const bound = (await store.tokens.list('acme')).flatMap(({ binding }) => binding ?? []);
  expect(bound).toEqual([{ service: 'recognition', galleryId: 'acme@staff' }]);
}

/** The audit trail of the upgraded store by the services of a server. */
export async function verifyTrail(env: Record<string, string>): Promise<void> {
  const config = loadConfig({ ...releasedSettings, ...env });
  const engine = await sharedEngine();
  const services = await openCore(config, createLogger('silent'), { comparer: async () => engine });
  try {
    await services.accounts.setQuota('acme', { faces: 9 });
    await services.events.settled();
    const found = await checkTrail(config, services.store);
    expect(found).toMatchObject({ fault: null, sealed: true });
  } finally {
    await services.close();
  }
}
