import type { Engine } from '@wajah/engine';
import type { Config } from '../config.ts';

/** Operating points of a server: its own setting, else the pack's. */
export interface Thresholds {
  /** Similarity at or above which two faces count as one person. */
  readonly verify: number;
  /** Score at or above which a face counts as a spoof. */
  readonly spoof: number;
  /** Similarity at or above which a face found in a gallery of `faces` people counts as that person. */
  identify(faces: number): number;
}

export function createThresholds(
  engine: Pick<Engine, 'threshold' | 'spoofThreshold'>,
  settings: Config['thresholds'],
): Thresholds {
  const verify = settings.verify ?? engine.threshold;
  return {
    verify,
    spoof: settings.spoof ?? engine.spoofThreshold,
    identify: (faces) => identificationThreshold(verify, faces, settings.identifyFpir),
  };
}

/**
 * A stranger meets as many chances to be taken for somebody as the gallery has people. Similarity is
 * 0.25 − 0.125 × log10(false match rate), so keeping the share of strangers let in at `fpir` takes a false
 * match rate of fpir ÷ people in each comparison.
 *
 * @example identificationThreshold(0.625, 10_000, 0.01); // 1 (0.25 + 0.125 × 6)
 */
export function identificationThreshold(verify: number, faces: number, fpir: number): number {
  const needed = 0.25 + 0.125 * Math.log10(Math.max(faces, 1) / fpir);
  return Math.min(1, Math.max(verify, needed));
}

/** Similarities and thresholds as details print them: never rounded across the other. */
export function shown(value: number): string {
  return (Math.floor(value * 10_000) / 10_000).toFixed(4);
}
