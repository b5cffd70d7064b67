import { describe, expect, it } from 'vitest';
import { detPlot, distributionPlot } from './recognition.ts';
import { plot } from './svg.ts';

const x = { label: 'x < y & z', from: 1e-3, to: 1, logarithmic: true };
const y = { label: 'y', from: 0, to: 10 };

describe('a plot', () => {
  it('places values on its axes, clamps those beyond, and escapes text', () => {
    const points = [
      [1e-3, 0],
      [1, 10],
      [1e-9, 99],
    ] as const;
    const svg = plot('t', x, y, [{ name: 's', colour: '#000', points }]);
    expect(svg).toContain('d="M70,370 L624,36 L70,36"');
    expect(svg).toContain('x &lt; y &amp; z');
    expect(svg).toMatch(/^<svg [^>]*viewBox="0 0 640 420"/);
  });

  it('of scores has finite values only', () => {
    const genuine = Float64Array.from({ length: 50 }, (_, i) => 0.7 + i / 200);
    const impostor = Float64Array.from({ length: 5000 }, (_, i) => -0.5 + i / 5000);
    const few = { genuine: genuine.slice(0, 3), impostor };
    const det = detPlot('t', { everybody: { genuine, impostor }, few });
    for (const svg of [det, detPlot('t', { few }), distributionPlot('t', { genuine, impostor })]) {
      expect(svg).not.toMatch(/NaN|Infinity|undefined/);
      expect(svg).toContain('</svg>');
    }
    expect(det).toContain('everybody (50 / 5000)');
    expect(det).not.toContain('few');
  });
});
