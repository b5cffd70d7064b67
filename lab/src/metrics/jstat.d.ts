/** jstat ships no types: what `bounds.ts` uses. */
declare module 'jstat' {
  const jStat: {
    readonly beta: {
      /** Quantile of the beta distribution: the x in 0…1 with P(X ≤ x) = p. */
      inv(p: number, alpha: number, beta: number): number;
    };
  };
  export default jStat;
}
