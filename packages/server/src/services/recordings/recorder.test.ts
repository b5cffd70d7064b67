import { describe, expect, it } from 'vitest';
import { openStore, unlimited } from '../../../test/support/store.ts';
import { loadConfig } from '../../config/config.ts';
import { createRecordingVault, createSessionVault } from '../../security/vaults/row-vaults.ts';
import { createSessionRecorder, type SessionToRecord } from './recorder.ts';

const key = Buffer.alloc(32, 3);
const vault = createRecordingVault(key);
const subjects = createSessionVault(key);

function session(id: string, pictures: readonly Buffer[]): SessionToRecord {
  const frame = { step: 'face front', capturedAt: null, representative: true, spoofScore: 0.1 };
  const judged = { pack: 'p', steps: [], device: null, passed: true, reasons: [], spoofScore: 0.1 };
  return {
    id,
    clientId: 'a',
    at: new Date(),
    subject: null,
    owners: [{ clientId: 'a', subject: id }],
    images: pictures.map((picture) => picture.toString('base64')),
    judgement: {
      ...judged,
      spoofThreshold: 0.5,
      similarity: null,
      light: null,
      lights: null,
      frames: pictures.map(() => ({ ...frame, faceSize: null, pose: null, error: null })),
    },
  };
}

async function opened() {
  const store = openStore();
  await store.clients.create({ clientId: 'a', passwordHash: null, quota: unlimited });
  await store.clients.register('a', new Date(0));
  const warnings: string[] = [];
  const log = { warn: (_: object, message: string) => void warnings.push(message) };
  const config = loadConfig({ WAJAH_RECORD_SESSIONS: 'true' });
  const recorder = createSessionRecorder({ store: store.recordings, vault, subjects, config, log });
  return { store, recorder, warnings };
}

describe('a session recorder', () => {
  const kib = 1024;
  it.each([
    ['no picture', []],
    ['one byte', [1]],
    ['exactly one part', [128 * kib]],
    ['a byte more than a part', [128 * kib + 1]],
    ['pictures that end inside of parts', [100_000, 0, 7, 200_000, 128 * kib]],
  ])('writes %s so that it can be read again', async (_, lengths) => {
    const { store, recorder } = await opened();
    const pictures = lengths.map((length, i) => Buffer.alloc(length, i + 1));
    recorder.record(session('1', pictures));
    await recorder.settled();
    const parts = await store.recordings.parts('1', { after: -1, limit: 100 });
    const context = { clientId: 'a', id: '1' };
    const read = Buffer.concat(parts.map(({ part, sealed }) => vault.open(context, part, sealed)));
    expect(read.equals(Buffer.concat(pictures))).toBe(true);
    const [record] = await store.recordings.list({ after: '', limit: 1 });
    const sealed = parts.reduce((sum, part) => sum + part.sealed.length, record!.judgement.length);
    expect(record!.bytes).toBe(sealed);
    const judgement = JSON.parse(Buffer.from(vault.open(context, null, record!.judgement)).toString());
    expect(judgement.frames.map(({ bytes }: { bytes: number }) => bytes)).toEqual(lengths);
  });

  it('drops a session with a warning when the store fails, and when too much waits', async () => {
    const { store, recorder, warnings } = await opened();
    const huge = { ...session('huge', []), images: ['x'.repeat(129 * 2 ** 20)] };
    recorder.record(huge);
    await store.close();
    recorder.record(session('1', [Buffer.alloc(1)]));
    await recorder.settled();
    expect(warnings.slice(1)).toEqual([
      'a session was not recorded: too many wait to be written',
      'a session was not recorded',
    ]);
  });

  it('erases sessions before and while they are written', async () => {
    const { store, recorder } = await opened();
    const large = Array.from({ length: 6 }, () => Buffer.alloc(300_000));
    for (const id of ['1', '2', '3']) recorder.record(session(id, large));
    await recorder.erase({ owner: { clientId: 'a', subject: '1' } });
    await recorder.erase({ id: '2' });
    await recorder.settled();
    const left = await store.recordings.list({ after: '', limit: 9 });
    expect(left.map(({ id }) => id)).toEqual(['3']);
  });
});
