import { readFile } from 'node:fs/promises';

/** An answer of the server. */
export interface Answer {
  readonly status: string;
  readonly status_message: string;
  readonly detail?: string;
  readonly [field: string]: unknown;
}

/** HTTP client of a server that records the time of each call. */
export class Api {
  readonly #base: string;
  readonly #token: string;
  readonly #times = new Map<string, number[]>();

  constructor(base: string, token: string) {
    this.#base = base;
    this.#token = token;
  }

  /** Times of the calls so far, ms, by the last part of the path. */
  get times(): ReadonlyMap<string, readonly number[]> {
    return this.#times;
  }

  /** @param path of the endpoint, as in the specification */
  async post(path: string, body: Readonly<Record<string, unknown>>): Promise<Answer> {
    const text = JSON.stringify(body);
    const begin = performance.now();
    const response = await fetch(this.#base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accesstoken: this.#token },
      body: text,
    });
    const answer = (await response.json()) as Answer;
    const name = path.slice(path.lastIndexOf('/') + 1);
    const times = this.#times.get(name) ?? [];
    this.#times.set(name, times);
    times.push(performance.now() - begin);
    return answer;
  }
}

/** A picture file as base64. */
export async function base64Of(path: string): Promise<string> {
  return (await readFile(path)).toString('base64');
}
