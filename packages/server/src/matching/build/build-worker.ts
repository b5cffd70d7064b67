import { parentPort, workerData } from 'node:worker_threads';
import { galleryVault } from '../../security/template-vault.ts';
import { type FaceReader, openFaceReader } from '../../store/face-reader.ts';
import { Borrower } from './borrower.ts';
import { buildRows } from './build-rows.ts';
import type { BuilderBirth, BuilderOrder, BuilderReport } from './messages.ts';

const { address, lender, answered } = workerData as BuilderBirth;
const borrower = new Borrower(lender, answered);
const givenUp = new Set<number>();
let reader: Promise<FaceReader> | undefined;

type Order = Extract<BuilderOrder, { build: number }>;

parentPort?.on('message', (order: BuilderOrder) => {
  if ('build' in order) void build(order);
  else if ('giveUp' in order) givenUp.add(order.giveUp);
  else void close();
});

async function build(order: Order): Promise<void> {
  const { build: number, gallery, version, key } = order;
  try {
    const built = await buildRows({
      faces: await opened(),
      vault: galleryVault(gallery, key),
      arenas: borrower.allocatorOf(number),
      gallery,
      version,
      goOn: (read) => {
        if (givenUp.has(number)) throw new Error('given up');
        report({ build: number, read });
      },
    });
    report({ build: number, ...built });
  } catch (error) {
    report({ build: number, failed: error instanceof Error ? error.message : String(error) });
  } finally {
    givenUp.delete(number);
  }
}

function opened(): Promise<FaceReader> {
  reader ??= openFaceReader(address).catch((error: unknown) => {
    reader = undefined;
    throw error;
  });
  return reader;
}

function report(said: BuilderReport): void {
  parentPort?.postMessage(said, 'rows' in said ? said.rows.index.tables.map((table) => table.buffer) : []);
}

async function close(): Promise<void> {
  await reader?.then((it) => it.close()).catch(() => null);
  lender.close();
  parentPort?.close();
}
