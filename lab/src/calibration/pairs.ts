import { innerProduct } from '@wajah/engine';

/** A template with its identity. */
export interface Template {
  readonly identity: string;
  readonly embedding: Float32Array;
}

/** Scores of all pairs, ascending. */
export interface PairScores {
  readonly genuine: Float64Array;
  readonly impostor: Float64Array;
}

/** Compares every template with every other, by their inner products. */
export function allPairs(templates: readonly Template[]): PairScores {
  const genuine: number[] = [];
  const impostor = new Float64Array((templates.length * (templates.length - 1)) / 2);
  let count = 0;
  templates.forEach((a, i) => {
    for (let j = i + 1; j < templates.length; j++) {
      const b = templates[j]!;
      const score = innerProduct(a.embedding, b.embedding);
      if (a.identity === b.identity) genuine.push(score);
      else impostor[count++] = score;
    }
  });
  return { genuine: Float64Array.from(genuine).sort(), impostor: impostor.slice(0, count).sort() };
}
