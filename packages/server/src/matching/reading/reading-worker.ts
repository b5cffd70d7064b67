import { parentPort, workerData } from 'node:worker_threads';
import { galleryVault } from '../../security/vaults/template-vault.ts';
import { type FaceReader, openFaceReader } from '../../store/face-reader.ts';
import { searchStream } from '../stream-best.ts';
import { buildRows } from './build-rows.ts';
import type { ReaderCommand, ReaderReport, ReaderWorkerData, ReadJob } from './messages.ts';
import { openSlice } from './open-slice.ts';
import { RemoteAllocator } from './remote-allocator.ts';

/** Faces read at a time; in between other jobs have their turn, and this one may be given up. */
const sliceFaces = 500;

const { options: address, allocatorPort: lender, answered } = workerData as ReaderWorkerData;
const borrower = new RemoteAllocator(lender, answered);
const givenUp = new Set<number>();
let reader: Promise<FaceReader> | undefined;

parentPort?.on('message', (order: ReaderCommand) => {
  if ('job' in order) void work(order);
  else if ('cancel' in order) givenUp.add(order.cancel);
  else void close();
});

async function work(order: ReadJob): Promise<void> {
  const { job } = order;
  try {
    report({ job, ...(await resultOf(order)) });
  } catch (error) {
    report({ job, failed: error instanceof Error ? error.message : String(error) });
  } finally {
    givenUp.delete(job);
  }
}

async function resultOf({ job, gallery, version, key, purpose }: ReadJob) {
  const source = {
    faces: await opened(),
    vault: galleryVault(gallery, key),
    gallery,
    version,
    sliceFaces,
    onProgress: (read: number) => {
      if (givenUp.has(job)) throw new Error('given up');
      report({ job, read });
    },
  };
  if (purpose.for === 'matrix') return buildRows({ ...source, arenas: borrower.allocatorOf(job) });
  if (purpose.for === 'slice') return { slice: await openSlice(source, purpose.after, purpose.limit) };
  if (purpose.for === 'list') {
    const { after, limit } = purpose;
    return { userIds: (await source.faces.list(gallery, { after, limit })).map(({ userId }) => userId) };
  }
  return { matches: await searchStream(source, purpose.probe, purpose.k) };
}

function opened(): Promise<FaceReader> {
  reader ??= openFaceReader(address).catch((error: unknown) => {
    reader = undefined;
    throw error;
  });
  return reader;
}

function report(said: ReaderReport): void {
  parentPort?.postMessage(said, givenAway(said));
}

/** What is not copied: this thread has no more use for it. */
function givenAway(said: ReaderReport): ArrayBuffer[] {
  if ('rows' in said) return said.rows.index.tables.map((table) => table.buffer);
  return 'slice' in said ? [said.slice.templates.buffer as ArrayBuffer] : [];
}

async function close(): Promise<void> {
  await reader?.then((it) => it.close()).catch(() => null);
  lender.close();
  parentPort?.close();
}
