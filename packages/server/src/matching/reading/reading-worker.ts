import { setImmediate as nextTurn } from 'node:timers/promises';
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { openedOrNull } from '../../security/vaults/sealing.ts';
import { type GalleryVault, galleryVault } from '../../security/vaults/template-vault.ts';
import type { FaceStore } from '../../store/face-store.ts';
import { type FaceReader, openFaceReader } from '../../store/readers.ts';
import { MatrixRows } from '../matrix/matrix-rows.ts';
import type { Allocator, MemorySegment } from '../scan/arenas.ts';
import type { WasmMemory } from '../scan/kernel.ts';
import { searchStream } from '../stream-search.ts';
import type {
  Allocation,
  AllocationRequest,
  BuiltRows,
  DamagedFace,
  OpenedSlice,
  ReaderCommand,
  ReaderReport,
  ReaderWorkerData,
  ReadJob,
} from './gallery-reader.ts';

/** Timeout of a memory request: the main thread's event loop is never blocked for so long. */
const allocationTimeoutMs = 30_000;

/** Allocates memory of the main thread from a worker. */
class RemoteAllocator {
  readonly #port: MessagePort;
  readonly #answered: Int32Array;
  readonly #memories: WasmMemory[] = [];

  constructor(port: MessagePort, answered: SharedArrayBuffer) {
    this.#port = port;
    this.#answered = new Int32Array(answered);
  }

  /** @param job that owns the memory until it is done */
  allocatorOf(job: number): Allocator {
    return { memories: this.#memories, allocate: (wanted) => this.#allocate({ job, wanted }) };
  }

  /** Blocks this thread. @throws Error when there is no memory or no answer */
  #allocate(request: AllocationRequest): MemorySegment[] {
    Atomics.store(this.#answered, 0, 0);
    this.#port.postMessage(request);
    if (Atomics.wait(this.#answered, 0, 0, allocationTimeoutMs) === 'timed-out')
      throw new Error('the main thread did not answer a memory request');
    const allocation = receiveMessageOnPort(this.#port)?.message as Allocation | undefined;
    if (!allocation) throw new Error('the answer to a memory request was lost');
    if ('refused' in allocation) throw new RangeError(allocation.refused);
    this.#memories.push(...allocation.memories);
    for (const piece of allocation.pieces) this.#requireVisible(piece);
    return allocation.pieces;
  }

  /** The growth of a shared memory can become visible here with a delay. */
  #requireVisible({ arena, address, bytes }: MemorySegment): void {
    const memory = this.#memories[arena];
    for (let tries = 0; tries < 1000; tries++) {
      if (memory && memory.buffer.byteLength >= address + bytes) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
    throw new Error('allocated memory is not visible');
  }
}

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
    const result = await resultOf(order);
    // The key was erased: what did not open since then is not damaged.
    if (order.key.every((byte) => byte === 0)) throw new Error('cancelled');
    report({ job, ...result });
  } catch (error) {
    report({ job, failed: error instanceof Error ? error.message : String(error) });
  } finally {
    cancelled.delete(job);
  }
}

async function resultOf({ job, gallery, key, purpose }: ReadJob) {
  const source = {
    faces: await opened(),
    vault: galleryVault(gallery, [key]),
    gallery,
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
  const damaged = new Set<number>();
  const onDamage = (seq: number) => damaged.add(seq);
  const matches = await searchStream({ ...source, onDamage }, purpose.probe, purpose.k);
  return { matches, damaged: [...damaged] };
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

/** A gallery to read. */
interface BuildSource {
  readonly faces: Pick<FaceStore, 'slice'>;
  readonly vault: Pick<GalleryVault, 'open'>;
  readonly arenas: Allocator;
  readonly gallery: number;
  /** Faces read at a time. */
  readonly sliceFaces: number;
  /** Called with the number of faces read; throws to cancel. */
  readonly onProgress: (read: number) => void;
}

/**
 * Reads a whole gallery.
 * @throws Error when the gallery does not exist or is empty, or has templates of two lengths, or on cancellation
 */
async function buildRows(source: BuildSource): Promise<BuiltRows> {
  const { faces, vault, arenas, gallery, sliceFaces, onProgress } = source;
  let rows: MatrixRows | undefined;
  const damaged = new Map<string, DamagedFace>();
  let read = 0;
  for (let after = 0; ; await nextTurn()) {
    onProgress(read);
    const slice = await faces.slice(gallery, after, sliceFaces);
    if (!slice) throw new Error('the gallery is gone');
    for (const face of slice.faces) {
      const template = openedOrNull(() => vault.open(face.userId, face.template));
      if (!template) {
        damaged.set(face.userId, { userId: face.userId, seq: face.seq });
        continue;
      }
      damaged.delete(face.userId);
      // The main thread releases the memory of a failed job.
      rows ??= new MatrixRows(arenas, template.length, () => {});
      rows.put(face, template, true);
    }
    read += slice.faces.length;
    if (slice.faces.length < sliceFaces) {
      if (!rows) throw new Error('the gallery is empty');
      return { rows: rows.pack(), version: slice.version, damaged: [...damaged.values()] };
    }
    after = slice.faces.at(-1)!.seq;
  }
}

type SliceSource = Pick<BuildSource, 'faces' | 'vault' | 'gallery'>;

/** @throws Error when there is no such gallery, or templates have two lengths */
async function openSlice(source: SliceSource, after: number, limit: number): Promise<OpenedSlice> {
  const { vault, gallery } = source;
  const slice = await source.faces.slice(gallery, after, limit);
  if (!slice) throw new Error('the gallery is gone');
  const { version, total } = slice;
  const opened = slice.faces.map(({ userId, template }) => openedOrNull(() => vault.open(userId, template)));
  const damaged = opened.flatMap((template, index) => (template === null ? [index] : []));
  const dimensions = opened.find((template) => template !== null)?.length ?? 0;
  const templates = new Float32Array(opened.length * dimensions);
  for (const [index, template] of opened.entries()) {
    if (template === null) continue;
    if (template.length !== dimensions) throw new Error('templates of two lengths');
    templates.set(template, index * dimensions);
  }
  const faces = slice.faces.map(({ userId, userName, seq }) => ({ userId, userName, seq }));
  return { version, total, faces, templates, damaged };
}
