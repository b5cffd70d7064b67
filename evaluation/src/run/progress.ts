import { Presets, SingleBar } from 'cli-progress';

/**
 * Runs `work` with a progress bar of `total` steps on standard error; `work` calls `step` after each.
 * Without a terminal nothing is written.
 */
export async function withProgress<T>(
  label: string,
  total: number,
  work: (step: () => void) => Promise<T>,
): Promise<T> {
  const format = `${label.padEnd(12)} {bar} {value}/{total} {eta_formatted}`;
  const bar = new SingleBar(
    { format, stream: process.stderr, clearOnComplete: true, hideCursor: true },
    Presets.shades_classic,
  );
  bar.start(total, 0);
  try {
    return await work(() => bar.increment());
  } finally {
    bar.stop();
  }
}
