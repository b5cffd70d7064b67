import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { root } from './sources.ts';

const shown = 10;

/** Vitest reporter that prints the files that took longest, at the end of a run of more than a few files. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= shown) return;
    const seconds = (module: TestModule) => {
      const { collectDuration, duration, setupDuration } = module.diagnostic();
      return (collectDuration + duration + setupDuration) / 1000;
    };
    const slowest = [...modules].sort((a, b) => seconds(b) - seconds(a)).slice(0, shown);
    const lines = slowest.map(
      (module) => `${seconds(module).toFixed(1).padStart(7)} s  ${relative(root, module.moduleId)}`,
    );
    console.log(`\nSlowest files:\n${lines.join('\n')}\n`);
  }
}
