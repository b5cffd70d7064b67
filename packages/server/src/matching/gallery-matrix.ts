import { compareCodePoints } from './code-points.ts';
import type { Kernel, VectorTable } from './kernel.ts';
import type { Match } from './matcher.ts';

interface Person {
  readonly userId: string;
  readonly userName: string;
}

/** What a person takes beside the vector: object, two strings, a place in a map; estimated. */
const bytesPerPerson = 250;

/** The templates of one gallery as of one version. Rows are dense: the last one fills the gap of a removed one. */
export class GalleryMatrix {
  /** The gallery's version that the rows stand for. */
  version = 0;
  readonly #kernel: Kernel;
  readonly #people: Person[] = [];
  readonly #rows = new Map<string, number>();
  #table: VectorTable | null = null;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  get size(): number {
    return this.#people.length;
  }

  get bytes(): number {
    return (this.#table?.bytes ?? 0) + this.size * bytesPerPerson;
  }

  /** Whether templates of this length can be added. */
  fits(dimensions: number): boolean {
    return this.#table === null || this.#table.dimensions === dimensions;
  }

  /** Makes room at once for so many rows, where nothing is there yet. */
  reserve(rows: number, dimensions: number): void {
    this.#table ??= this.#kernel(dimensions, rows);
  }

  put(person: Person, template: Float32Array): void {
    this.reserve(1, template.length);
    if (!this.fits(template.length)) throw new Error('templates of two lengths in one gallery');
    const row = this.#rows.get(person.userId) ?? this.#people.length;
    this.#people[row] = person;
    this.#rows.set(person.userId, row);
    this.#table?.write(row, template);
  }

  remove(userId: string): void {
    const row = this.#rows.get(userId);
    if (row === undefined) return;
    const last = this.#people.length - 1;
    const moved = this.#people[last];
    if (moved && row !== last) {
      this.#people[row] = moved;
      this.#rows.set(moved.userId, row);
      this.#table?.copy(last, row);
    }
    this.#table?.erase(last);
    this.#people.pop();
    this.#rows.delete(userId);
    // Whoever fills an empty gallery may do it with templates of another length.
    if (this.size === 0) this.#table = null;
  }

  /** The `k` best, best first; ties by user_id. */
  best(probe: Float32Array, k: number): Match[] {
    if (this.#table === null || k < 1) return [];
    if (probe.length !== this.#table.dimensions) {
      throw new Error(`a probe of ${probe.length} dimensions in a gallery of ${this.#table.dimensions}`);
    }
    const matches: Match[] = [];
    for (const { row, score } of this.#table.best(this.size, probe, Math.min(k, this.size))) {
      const person = this.#people[row];
      if (person) matches.push({ userId: person.userId, userName: person.userName, score });
    }
    matches.sort((a, b) => b.score - a.score || compareCodePoints(a.userId, b.userId));
    return matches.slice(0, k);
  }
}
