import type { Match } from './matcher.ts';
import { compareCodePoints } from './matrix/code-points.ts';

/** A person read from the store. */
interface Candidate extends Match {
  readonly seq: number;
}

/** The best of the people read so far, who may change while others are read; ties by user_id. */
export class TopCandidates {
  readonly #keep: number;
  #people: Candidate[] = [];
  /** The best of those who were left out. */
  #left: Candidate | null = null;

  constructor(keep: number) {
    this.#keep = keep;
  }

  at(rank: number): Candidate | undefined {
    return this.#people[rank];
  }

  /** Adds a person, or a newer template of one. */
  add(candidate: Candidate): void {
    this.drop(candidate.userId);
    const place = this.#people.findIndex((other) => isBefore(candidate, other));
    this.#people.splice(place < 0 ? this.#people.length : place, 0, candidate);
    if (this.#people.length <= this.#keep) return;
    const out = this.#people.pop()!;
    if (!this.#left || isBefore(out, this.#left)) this.#left = out;
  }

  drop(userId: string): void {
    const place = this.#people.findIndex((other) => other.userId === userId);
    if (place >= 0) this.#people.splice(place, 1);
  }

  clear(): void {
    this.#people = [];
    this.#left = null;
  }

  /** Whether nobody who was left out belongs among the first k. */
  isExact(k: number): boolean {
    const last = this.#people[k - 1];
    return this.#left === null || (last !== undefined && isBefore(last, this.#left));
  }

  matches(k: number): Match[] {
    return this.#people.slice(0, k).map(({ userId, userName, score }) => ({ userId, userName, score }));
  }
}

function isBefore(a: Candidate, b: Candidate): boolean {
  return a.score > b.score || (a.score === b.score && compareCodePoints(a.userId, b.userId) < 0);
}
