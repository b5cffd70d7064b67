import { expect, it } from 'vitest';
import { detPlot } from './det.ts';

it('DET curves are on their axes, with escaped names, and without those of too few pairs', () => {
  const genuine = Float64Array.from({ length: 50 }, (_, i) => 0.7 + i / 200);
  const impostor = Float64Array.from({ length: 5000 }, (_, i) => -0.5 + i / 5000);
  const few = { genuine: genuine.slice(0, 3), impostor };
  const svg = detPlot('x < y & z', { 'every<body': { genuine, impostor }, few });
  for (const one of [svg, detPlot('t', { few })]) {
    expect(one).toMatch(/^<svg [^>]*viewBox="0 0 640 420"[\s\S]*<\/svg>\n$/);
    expect(one).not.toMatch(/NaN|Infinity|undefined/);
  }
  expect(svg).toContain('x &lt; y &amp; z');
  expect(svg).toContain('every&lt;body (50 / 5000)');
  // Every genuine pair is above every impostor pair: FNMR 0, drawn at the end of the axis.
  expect(svg).toContain('d="M624,370 L');
  expect(svg).not.toContain('few');
});
