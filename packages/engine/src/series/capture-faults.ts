import type { Face, QualityRule, UnclearReason } from '../types.ts';

/** Why a frame cannot be judged; `pale`: with hardly any contrast. */
export type CaptureFault = Exclude<UnclearReason, 'tight'> | 'bright' | 'pale';

/** Limits of the quality rules beyond which the skin shows too little. */
const LIMITS = { bright: 0.9, contrast: 0.12 } as const;

/**
 * Faults of a frame that would weaken the checks of a series: they must fail the frame, or noise, blur and overexposure could
 * be added to hide an attack. Those for which a spoof score says little are among them, but not that a picture is tight.
 * @param face analysed with `quality` and `spoof`
 * @param least size of the face, pixels of the shorter side of its box
 */
export function captureFaults(
  { box, quality = [], spoof }: Pick<Face, 'box' | 'quality' | 'spoof'>,
  least: number,
): CaptureFault[] {
  const measured = (rule: QualityRule['name']) =>
    quality.find(({ name }) => name === rule)?.value ?? Number.NaN;
  const found = new Set<CaptureFault>(spoof?.unclear.filter((reason) => reason !== 'tight'));
  if (Math.min(box.width, box.height) < least) found.add('small');
  if (measured('brightness') > LIMITS.bright) found.add('bright');
  if (measured('contrast') < LIMITS.contrast) found.add('pale');
  return [...found];
}
