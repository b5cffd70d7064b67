import { getEventListeners } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { drawVectors } from '../../../test/support/vectors.ts';
import { GalleryMatrix } from '../matrix/gallery-matrix.ts';
import { PageMemory } from './page-memory.ts';
import { Scanner } from './scanner.ts';

function filledMatrix() {
  const memory = { codes: new PageMemory(), templates: new PageMemory() };
  const scanner = new Scanner(memory, { workersFrom: 0, workers: 1 });
  onTestFinished(() => scanner.close());
  const matrix = new GalleryMatrix(memory, scanner);
  const rows = drawVectors('spread', 4, 16, 300);
  const probe = rows.pop()!;
  for (const [row, template] of rows.entries())
    matrix.put({ userId: `user ${row}`, userName: '', seq: row + 1 }, template);
  return { scanner, matrix, probe };
}

it('forgets a scan that waits for a thread when its caller disconnects', async () => {
  const { matrix, probe } = filledMatrix();
  const [caller, other] = [new AbortController(), new AbortController()];
  const running = matrix.search(probe, 1, other.signal);
  const waiting = matrix.search(probe, 1, caller.signal);
  caller.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  expect(await running).toHaveLength(1);
  // A call searches with one signal for each of its pictures and steps.
  expect(getEventListeners(other.signal, 'abort')).toEqual([]);
  expect(await matrix.search(probe, 1)).toHaveLength(1);
});

it('ends running and waiting scans when it is closed, and replaces a thread that was lost', async () => {
  const { scanner, matrix, probe } = filledMatrix();
  process.once('worker', (worker) => worker.once('online', () => void worker.terminate()));
  await expect(matrix.search(probe, 1)).rejects.toThrow('a scanning thread ended');
  expect(await matrix.search(probe, 1)).toHaveLength(1);
  const searches = [matrix.search(probe, 1), matrix.search(probe, 1)].map((search) =>
    search.then(
      () => 'found',
      (error: Error) => error.message,
    ),
  );
  await scanner.close();
  const ends = ['found', 'a scanning thread ended', 'the matcher is closed'];
  for (const end of await Promise.all(searches)) expect(ends).toContain(end);
  await expect(matrix.search(probe, 1)).rejects.toThrow('the matcher is closed');
});
