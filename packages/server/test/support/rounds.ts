const factor = Number(process.env['ROUNDS'] ?? 1);

/**
 * Rounds, examples or steps of a test that draws its input by chance. `ROUNDS=50 npm test` draws fifty times as many, and others.
 * @param few of an ordinary run
 */
export function rounds(few: number): number {
  return Math.ceil(few * factor);
}
