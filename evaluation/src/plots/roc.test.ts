import { expect, it } from 'vitest';
import { rocPlot } from './roc.ts';

it('goes from BPCER 0 to APCER 0, and names the area', () => {
  const svg = rocPlot('t', {
    sure: [Float64Array.of(2, 3), Float64Array.of(0, 1)],
    blind: [Float64Array.of(1, 1), Float64Array.of(1, 1)],
  });
  expect(svg).toContain('sure: 1.00');
  expect(svg).toContain('blind: 0.50');
  // Both attacks are detected before the first bona fide presentation is refused.
  expect(svg).toContain('d="M70,370 L70,203 L70,36 L347,36 L624,36"');
  expect(svg).toContain('d="M70,370 L624,36');
});
