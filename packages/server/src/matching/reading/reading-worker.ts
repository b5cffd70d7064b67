import { parentPort, workerData } from 'node:worker_threads';
import { galleryVault, separateKeys } from '../../security/vaults/template-vault.ts';
import { type FaceReader, openFaceReader } from '../../store/readers.ts';
import { searchStream } from '../stream-search.ts';
import type { ReaderCommand, ReaderReport, ReaderWorkerData, ReadJob } from './messages.ts';
import { buildRows, openSlice } from './read-gallery.ts';
import { RemoteAllocator } from './remote-allocator.ts';

/** Faces read at a time; other jobs run, and cancellations take effect, in between. */
const sliceFaces = 500;

const { options, allocatorPort, answered } = workerData as ReaderWorkerData;
const allocator = new RemoteAllocator(allocatorPort, answered);
const cancelled = new Set<number>();
let reader: Promise<FaceReader> | undefined;

parentPort?.on('message', (order: ReaderCommand) => {
  if ('job' in order) void work(order);
  else if ('cancel' in order) cancelled.add(order.cancel);
  else void close();
});

async function work(order: ReadJob): Promise<void> {
  const { job } = order;
  try {
    report({ job, ...(await resultOf(order)) });
  } catch (error) {
    report({ job, failed: error instanceof Error ? error.message : String(error) });
  } finally {
    cancelled.delete(job);
  }
}

async function resultOf({ job, gallery, version, key, purpose }: ReadJob) {
  const source = {
    faces: await opened(),
    vault: galleryVault(gallery, separateKeys(key)),
    gallery,
    version,
    sliceFaces,
    onProgress: (read: number) => {
      if (cancelled.has(job)) throw new Error('cancelled');
      report({ job, read });
    },
  };
  if (purpose.for === 'matrix') return buildRows({ ...source, arenas: allocator.allocatorOf(job) });
  if (purpose.for === 'slice') return { slice: await openSlice(source, purpose.after, purpose.limit) };
  if (purpose.for === 'list') {
    const { after, limit } = purpose;
    return {
      userIds: (await source.faces.list(gallery, { after, limit, matched: true })).map(
        ({ userId }) => userId,
      ),
    };
  }
  return { matches: await searchStream(source, purpose.probe, purpose.k) };
}

function opened(): Promise<FaceReader> {
  reader ??= openFaceReader(options).catch((error: unknown) => {
    reader = undefined;
    throw error;
  });
  return reader;
}

function report(message: ReaderReport): void {
  parentPort?.postMessage(message, transferList(message));
}

/** Buffers to transfer instead of copying. */
function transferList(message: ReaderReport): ArrayBuffer[] {
  if ('rows' in message) return message.rows.index.tables.map((table) => table.buffer);
  return 'slice' in message ? [message.slice.templates.buffer as ArrayBuffer] : [];
}

async function close(): Promise<void> {
  await reader?.then((it) => it.close()).catch(() => null);
  allocatorPort.close();
  parentPort?.close();
}
