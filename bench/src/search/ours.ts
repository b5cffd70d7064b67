import { GalleryMatrix } from '../../../packages/server/dist/matching/matrix/gallery-matrix.js';
import { Arenas } from '../../../packages/server/dist/matching/scan/arenas.js';
import { createScanner, type Scanner } from '../../../packages/server/dist/matching/scan/scanner.js';
import type { ScanTarget } from '../../../packages/server/dist/matching/scan/search.js';
import { type Data, rowOf } from './data.ts';
import { processorMs } from './measure.ts';

/** The product's own matrix, filled; searched in this thread or in workers. */
export class Ours {
  readonly arenas = new Arenas();
  readonly #matrix: GalleryMatrix;
  readonly #here: Scanner;
  readonly #workers: [Scanner, Scanner];
  #scanner: Scanner;
  #target: ScanTarget | null = null;

  constructor(data: Data) {
    this.#here = createScanner(this.arenas, { workersFrom: Number.POSITIVE_INFINITY });
    this.#workers = [
      createScanner(this.arenas, { workersFrom: 0, workers: 1 }),
      createScanner(this.arenas, { workersFrom: 0, workers: 2 }),
    ];
    this.#scanner = this.#here;
    this.#matrix = new GalleryMatrix(this.arenas, {
      search: (target, probe, k) => {
        this.#target = target;
        return this.#scanner.search(target, probe, k);
      },
    });
    for (let row = 0; row < data.count; row++) {
      const userId = `user-${row.toString().padStart(7, '0')}`;
      this.#matrix.put({ userId, userName: `Person ${row}`, seq: row + 1 }, rowOf(data, row));
    }
  }

  get bytesPerFace(): number {
    return this.#matrix.bytes / this.#matrix.size;
  }

  /** What a scan reads; known after a first search. */
  get target(): ScanTarget {
    return this.#target!;
  }

  search(probe: Float32Array, k: number) {
    return this.#matrix.search(probe, k);
  }

  /** Searches in a second, and in a second of processor time; two more at once than there are workers. */
  async throughput(probes: readonly Float32Array[], workers: 1 | 2, milliseconds: number) {
    this.#scanner = this.#workers[workers - 1]!;
    let done = 0;
    const [start, busyBefore] = [performance.now(), processorMs()];
    const ask = async (first: number) => {
      for (let i = first; performance.now() - start < milliseconds; i++, done++) {
        await this.#matrix.search(probes[i % probes.length]!, 1);
      }
    };
    await Promise.all(Array.from({ length: workers + 2 }, (_, i) => ask(i)));
    this.#scanner = this.#here;
    return {
      wall: (1000 * done) / (performance.now() - start),
      busy: (1000 * done) / (processorMs() - busyBefore),
    };
  }
}
