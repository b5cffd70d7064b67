import { Presets, SingleBar } from 'cli-progress';

/** A bar on standard error; without a terminal, nothing. */
export interface Progress {
  step(): void;
  stop(): void;
}

/** Starts a bar of `total` steps. */
export function progress(label: string, total: number): Progress {
  const bar = new SingleBar(
    {
      format: `${label} {bar} {value}/{total} {eta_formatted}`,
      stream: process.stderr,
      clearOnComplete: true,
    },
    Presets.shades_classic,
  );
  bar.start(total, 0);
  return { step: () => bar.increment(), stop: () => bar.stop() };
}
