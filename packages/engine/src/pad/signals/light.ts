import type { PadSignal } from '../signal.ts';

/**
 * Luminance percentiles over 255, the share of overexposed pixels (log10), and the range of the middle 90 %. Screens lift
 * the blacks, prints dull the highlights.
 */
export const light: PadSignal = {
  name: 'light',
  values: ['tone-1', 'tone-5', 'tone-50', 'tone-95', 'tone-99', 'tone-burnt', 'tone-contrast'],
  measure: (face) => {
    const sorted = face.view().y.slice().sort();
    const at = (percent: number) => sorted[Math.floor((percent / 100) * (sorted.length - 1))]! / 255;
    const burnt = sorted.filter((value) => value >= 250).length / sorted.length;
    return [at(1), at(5), at(50), at(95), at(99), Math.log10(burnt + 1e-3), at(95) - at(5)];
  },
};
