import { GalleryMatrix } from '../../../../packages/server/dist/matching/matrix/gallery-matrix.js';
import { Arenas } from '../../../../packages/server/dist/matching/scan/arenas.js';
import type { PairQuestion } from '../../../../packages/server/dist/matching/scan/pairs.js';
import { createScanner, type Scanner } from '../../../../packages/server/dist/matching/scan/scanner.js';
import type { ScanTarget } from '../../../../packages/server/dist/matching/scan/search.js';
import { type Data, rowOf } from './data.ts';
import { cpuMs } from './measure.ts';

/** The server's gallery matrix with the rows of `data`, searched in this thread or in workers. */
export class WajahIndex {
  readonly arenas = new Arenas();
  readonly #matrix: GalleryMatrix;
  readonly #inThread: Scanner;
  readonly #workers: [Scanner, Scanner];
  #scanner: Scanner;
  #target: ScanTarget | null = null;

  constructor(data: Data) {
    this.#inThread = createScanner(this.arenas, { workersFrom: Number.POSITIVE_INFINITY });
    this.#workers = [
      createScanner(this.arenas, { workersFrom: 0, workers: 1 }),
      createScanner(this.arenas, { workersFrom: 0, workers: 2 }),
    ];
    this.#scanner = this.#inThread;
    this.#matrix = new GalleryMatrix(this.arenas, {
      search: (target, probe, k) => {
        this.#target = target;
        return this.#scanner.search(target, probe, k);
      },
      pairs: (target, question) => this.#scanner.pairs(target, question),
    });
    for (let row = 0; row < data.count; row++) {
      const userId = `user-${row.toString().padStart(7, '0')}`;
      this.#matrix.put({ userId, userName: `Person ${row}`, seq: row + 1 }, rowOf(data, row));
    }
  }

  get bytesPerFace(): number {
    return this.#matrix.bytes / this.#matrix.size;
  }

  /** Memory that a scan reads; set by the first search. */
  get target(): ScanTarget {
    return this.#target!;
  }

  search(probe: Float32Array, k: number): ReturnType<GalleryMatrix['search']> {
    return this.#matrix.search(probe, k);
  }

  /** All pairs above a score, as the server searches them: in parts, one after the other, in one worker. */
  async pairs(question: Omit<PairQuestion, 'after'>): Promise<number> {
    this.#scanner = this.#workers[0];
    let found = 0;
    for (let after = { later: 0, earlier: 0 }; ; ) {
      const page = await this.#matrix.pairs({ ...question, after });
      found += page.pairs.length;
      after = page.reached;
      if (page.complete) break;
    }
    this.#scanner = this.#inThread;
    return found;
  }

  /** Searches per second of wall time and of processor time, with two more callers than workers. */
  async throughput(probes: readonly Float32Array[], workers: 1 | 2, milliseconds: number) {
    this.#scanner = this.#workers[workers - 1]!;
    let done = 0;
    const [start, cpuBefore] = [performance.now(), cpuMs()];
    const caller = async (first: number) => {
      for (let i = first; performance.now() - start < milliseconds; i++, done++) {
        await this.#matrix.search(probes[i % probes.length]!, 1);
      }
    };
    await Promise.all(Array.from({ length: workers + 2 }, (_, i) => caller(i)));
    this.#scanner = this.#inThread;
    return {
      wall: (1000 * done) / (performance.now() - start),
      cpu: (1000 * done) / (cpuMs() - cpuBefore),
    };
  }
}
