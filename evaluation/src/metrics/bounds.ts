/** A 95 % (or other) interval of a rate, both ends in 0…1. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * Exact (Clopper–Pearson) interval of a binomial rate: the rates under which seeing this many events, or more
 * (fewer), has at least (1 − level) / 2 probability. With 0 events in n its upper end is close to 3.7 / n.
 * @param events 0…trials
 * @param level confidence, 0…1
 */
export function exactInterval(events: number, trials: number, level = 0.95): Interval {
  if (!Number.isInteger(events) || !Number.isInteger(trials) || events < 0 || events > trials) {
    throw new RangeError(`events must be whole and within 0…${trials} trials, found ${events}`);
  }
  if (trials === 0) return { low: 0, high: 1 };
  const tail = (1 - level) / 2;
  return {
    low: events === 0 ? 0 : betaQuantile(tail, events, trials - events + 1),
    high: events === trials ? 1 : betaQuantile(1 - tail, events + 1, trials - events),
  };
}

/** Value below which a share `p` of the beta distribution lies; by bisection, to 1e-12. */
function betaQuantile(p: number, a: number, b: number): number {
  let low = 0;
  let high = 1;
  while (high - low > 1e-12) {
    const middle = (low + high) / 2;
    if (incompleteBeta(middle, a, b) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Regularised incomplete beta function (continued fraction 26.5.8 of Abramowitz and Stegun, by Lentz's method). */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(
    a * Math.log(x) + b * Math.log1p(-x) - logGamma(a) - logGamma(b) + logGamma(a + b) - Math.log(a),
  );
  return front * betaFraction(x, a, b);
}

function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  const away = (value: number) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m <= 1000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let change = 1;
    for (const term of [even, odd]) {
      d = 1 / away(1 + term * d);
      c = away(1 + term / c);
      change = d * c;
      value *= change;
    }
    if (Math.abs(change - 1) < 1e-14) break;
  }
  return value;
}

/** Natural logarithm of the gamma function for x > 0 (Stirling's series after shifting x above 10). */
function logGamma(x: number): number {
  let shift = 0;
  let z = x;
  while (z < 10) {
    shift -= Math.log(z);
    z += 1;
  }
  const inverse = 1 / (z * z);
  const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse / 1680))) / z;
  return shift + (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series;
}
