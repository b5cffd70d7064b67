import { createHash } from 'node:crypto';

/** Tokens that are remembered, those of the last use. */
const most = 10_000;

/**
 * Remembers what a verified token says, since the verification of its signature takes longer than all other work of a
 * call without a picture. Kept by the token's SHA-256, so that no token can be read from memory.
 */
export class VerifiedTokens<Said> {
  readonly #said = new Map<string, Said>();

  get(token: string): Said | undefined {
    const digest = digestOf(token);
    const said = this.#said.get(digest);
    if (said === undefined) return undefined;
    this.#said.delete(digest);
    this.#said.set(digest, said);
    return said;
  }

  set(token: string, said: Said): void {
    this.#said.set(digestOf(token), said);
    const [oldest] = this.#said.keys();
    if (this.#said.size > most && oldest !== undefined) this.#said.delete(oldest);
  }
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
