import { chunk, codesOf, interleavedRows, strideOf } from './layout.ts';

/** Relative margin, many times the rounding error of the kernels' float32 arithmetic. */
const slack = 1e-6;

/** Parameters of a quantized row. */
export interface QuantizedRow {
  /** template ≈ scale · codes */
  readonly scale: number;
  /** Euclidean norm of template − scale · codes, rounded up. */
  readonly residual: number;
  /** The larger norm of template and scale · codes. */
  readonly norm: number;
  /** Norm of the codes in units of 1/256, as the kernel multiplies them. */
  readonly codeNorm: number;
}

/**
 * Writes a template as int8 codes, interleaved with those of its neighbours. A kernel reads two codes as one int16,
 * odd · 256 + (even as unsigned byte), so the odd code is rounded with the even byte's part taken into account.
 * @param codes the codes of a page
 * @throws RangeError when a value is not a finite number or the norm exceeds a million
 */
export function quantizeRow(template: Float32Array, codes: Int8Array, row: number): QuantizedRow {
  const stride = strideOf(template.length);
  const scale = Math.fround(largest(template) / 127);
  const finest = scale === 0 ? 0 : 1 / scale;
  let at = codesOf(row, stride);
  let norm = 0;
  let coded = 0;
  let left = 0;
  for (let from = 0; from < stride; from += chunk, at += chunk * interleavedRows) {
    for (let i = 0; i < chunk; i += 2) {
      const place = from + i;
      const even = place < template.length ? template[place]! : 0;
      const odd = place + 1 < template.length ? template[place + 1]! : 0;
      const evenCode = nearest(even * finest);
      const below = (evenCode & 255) / 256;
      const oddCode = nearest(odd * finest - below);
      codes[at + i] = evenCode;
      codes[at + i + 1] = oddCode;
      norm += even * even + odd * odd;
      coded += evenCode * evenCode + (oddCode + below) * (oddCode + below);
      const evenLeft = even - scale * evenCode;
      const oddLeft = odd - scale * (oddCode + below);
      left += evenLeft * evenLeft + oddLeft * oddLeft;
    }
  }
  const codedNorm = Math.sqrt(coded);
  return {
    scale,
    residual: Math.fround(Math.sqrt(left) * (1 + slack)),
    norm: Math.max(Math.sqrt(norm), scale * codedNorm),
    codeNorm: codedNorm * 256,
  };
}

/** @param value from −128.5 to 127.5 */
function nearest(value: number): number {
  // Cutting off is rounding down above zero, and much faster than Math.round.
  return Math.max(-128, Math.min(127, ((value + 128.5) | 0) - 128));
}

/** A quantized probe. */
export interface QuantizedQuery {
  /** For each 16 dimensions the eight odd ones, then the eight even ones. */
  readonly values: Int16Array;
  readonly scale: number;
  /** A row's score differs from that of its codes by at most a · residual + b. */
  readonly a: number;
  readonly b: number;
}

/**
 * @param norm largest norm of a row of the matrix
 * @param codeNorm largest codeNorm of a row; limits the resolution of the probe so that sums fit in int32
 */
export function quantizeQuery(probe: Float32Array, norm: number, codeNorm: number): QuantizedQuery {
  const stride = strideOf(probe.length);
  const values = new Int16Array(stride);
  let length = 0;
  for (const value of probe) length += value * value;
  length = Math.sqrt(length);
  // Cauchy–Schwarz: |sum| ≤ codeNorm · |values| < 2^31, and rounding adds less than √stride to |values|.
  const reach = 2 ** 31 / Math.max(1, codeNorm) - Math.sqrt(stride);
  const scale = Math.fround(Math.max(largest(probe) / 32767, length / reach) * (1 + slack));
  let left = 0;
  for (const [i, value] of probe.entries()) {
    const whole = scale === 0 ? 0 : Math.round(value / scale);
    values[i - (i % chunk) + (i % 2 === 0 ? chunk / 2 : 0) + ((i % chunk) >> 1)] = whole;
    left += (value - scale * whole) ** 2;
  }
  return {
    values,
    scale: scale / 256,
    a: length * (1 + slack),
    b: (Math.sqrt(left) + slack * length) * norm * (1 + slack) + 1e-30,
  };
}

/** The largest absolute value. @throws RangeError when a value is not a finite number or above a million */
function largest(values: Float32Array): number {
  let most = 0;
  // Of a list of numbers a loop over places takes half as long.
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i]!);
    if (!(size <= 1e6)) throw new RangeError(`a template holds ${values[i]}; allowed: −10^6 … 10^6`);
    if (size > most) most = size;
  }
  return most;
}
