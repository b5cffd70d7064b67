import { GalleryMatrix } from '../../../../packages/server/dist/matching/matrix/gallery-matrix.js';
import { PageMemory } from '../../../../packages/server/dist/matching/scan/page-memory.js';
import { Scanner } from '../../../../packages/server/dist/matching/scan/scanner.js';
import { type Data, rowOf } from './data.ts';
import { cpuMs } from './measure.ts';

/** The server's gallery matrix with the rows of `data`, searched in this thread or in workers. */
export class WajahIndex {
  readonly #matrix: GalleryMatrix;
  readonly #inThread: Scanner;
  readonly #workers: [Scanner, Scanner];
  readonly #data: Data;
  #scanner: Scanner;

  constructor(data: Data) {
    const memory = { codes: new PageMemory(), templates: new PageMemory() };
    this.#data = data;
    this.#inThread = new Scanner(memory, { workersFrom: Number.POSITIVE_INFINITY });
    this.#workers = [
      new Scanner(memory, { workersFrom: 0, workers: 1 }),
      new Scanner(memory, { workersFrom: 0, workers: 2 }),
    ];
    this.#scanner = this.#inThread;
    this.#matrix = new GalleryMatrix(memory, {
      search: (target, question) => this.#scanner.search(target, question),
    });
    for (let row = 0; row < data.count; row++) {
      const userId = `user-${row.toString().padStart(7, '0')}`;
      this.#matrix.put({ userId, userName: `Person ${row}`, seq: row + 1 }, rowOf(data, row));
    }
  }

  get bytesPerFace(): number {
    return this.#matrix.bytes / this.#matrix.size;
  }

  search(probe: Float32Array, k: number): ReturnType<GalleryMatrix['search']> {
    return this.#matrix.search(probe, k);
  }

  /**
   * Pairs above a score, as the server searches for duplicates: in one worker, for one person after the other.
   * @param people that many are searched for, evenly spread
   */
  async pairs(least: number, people: number): Promise<number> {
    this.#scanner = this.#workers[0];
    let found = 0;
    for (let i = 0; i < people; i++) {
      const row = Math.floor((i * this.#data.count) / people);
      const question = { least, after: 0, before: row + 1, most: 500 };
      found += (await this.#matrix.above(rowOf(this.#data, row).slice(), question)).length;
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
