import { chunk, codesOf, interleavedRows, state } from '../layout.ts';
import type { Kernel, WasmMemory } from './kernel.ts';

/** Kernel in TypeScript, for processors without SIMD. */
export function plainKernel(memory: WasmMemory): Kernel {
  return {
    name: 'plain',
    scan: (codes, scales, residuals, rows, first, stride, query, at) => {
      const numbers = new Float32Array(memory.buffer);
      const counts = new Int32Array(memory.buffer, at, state.candidates);
      const words = new Int16Array(memory.buffer);
      const floats = new Float32Array(memory.buffer, at, state.candidates);
      const scale = floats[state.scale]!;
      for (let row = 0; row < rows; row++) {
        const sum = sumOf(words, (codes + codesOf(row, stride)) / 2, stride, query / 2);
        const error = numbers[residuals / 4 + row]! * floats[state.a]! + floats[state.b]!;
        const approx = sum * numbers[scales / 4 + row]! * scale;
        if (!(approx + error >= floats[state.threshold]!)) continue;
        addCandidate(memory, at, first + row, approx + error, approx - error);
        if (counts[state.candidateCount]! < counts[state.maxCandidates]!) continue;
        prune(memory, at);
        // Calls begin at a multiple of four rows.
        if (
          counts[state.candidateCount]! >= counts[state.pruneThreshold]! &&
          row % interleavedRows === interleavedRows - 1
        ) {
          return row + 1;
        }
      }
      return rows;
    },
    prune: (at) => prune(memory, at),
  };
}

/** Addresses in units of two bytes. */
function sumOf(words: Int16Array, codes: number, stride: number, query: number): number {
  let sum = 0;
  const half = chunk / 2;
  for (let done = 0; done < stride; done += chunk) {
    for (let i = 0; i < half; i++) {
      const word = words[codes + i]!;
      sum += word * words[query + i]! + ((word << 24) >> 16) * words[query + half + i]!;
    }
    codes += half * interleavedRows;
    query += chunk;
  }
  return sum;
}

function addCandidate(memory: WasmMemory, at: number, row: number, upper: number, lower: number): void {
  const counts = new Int32Array(memory.buffer, at, state.candidates);
  const floats = new Float32Array(memory.buffer, at, state.candidates);
  const lowerBounds = floats.subarray(state.lowerBounds, state.lowerBounds + counts[state.k]!);
  const last = lowerBounds.length - 1;
  if (lower > lowerBounds[last]!) {
    let place = last;
    while (place > 0 && lowerBounds[place - 1]! < lower) {
      lowerBounds[place] = lowerBounds[place - 1]!;
      place--;
    }
    lowerBounds[place] = lower;
    floats[state.threshold] = Math.max(floats[state.threshold]!, lowerBounds[last]!);
  }
  const count = counts[state.candidateCount]!;
  new Int32Array(memory.buffer, at)[state.candidates + 2 * count] = row;
  new Float32Array(memory.buffer, at)[state.candidates + 2 * count + 1] = upper;
  counts[state.candidateCount] = count + 1;
}

function prune(memory: WasmMemory, at: number): void {
  const rows = new Int32Array(memory.buffer, at);
  const upperBounds = new Float32Array(memory.buffer, at);
  let kept: number = state.candidates;
  const end = state.candidates + 2 * rows[state.candidateCount]!;
  for (let from: number = state.candidates; from < end; from += 2) {
    if (upperBounds[from + 1]! < upperBounds[state.threshold]!) continue;
    rows[kept] = rows[from]!;
    upperBounds[kept + 1] = upperBounds[from + 1]!;
    kept += 2;
  }
  rows[state.candidateCount] = (kept - state.candidates) / 2;
}
