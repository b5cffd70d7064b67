import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { engineMetrics } from './engine.ts';

it('counts the time of each stage in seconds', async () => {
  const registry = new Registry();
  const { analyzed: observe } = engineMetrics(registry);
  observe({ decode: 20, mesh: 4 });
  observe({ decode: 40 });
  const text = await registry.metrics();
  expect(text).toContain('wajah_engine_stage_duration_seconds_bucket{le="0.025",stage="decode"} 1');
  expect(text).toContain('wajah_engine_stage_duration_seconds_count{stage="decode"} 2');
  expect(text).toContain('wajah_engine_stage_duration_seconds_sum{stage="mesh"} 0.004');
});
