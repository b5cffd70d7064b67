import { Presets, SingleBar } from 'cli-progress';
import { megabytes, type Terminal } from './terminal.ts';

/** Progress of a long operation. */
export interface Progress {
  update(done: number, total: number): void;
  /** Must be called, also after an error: the bar redraws on a timer that keeps the process alive. Idempotent. */
  end(): void;
}

/**
 * Shows progress on the standard error: a bar on a terminal, else a line at each quarter.
 * @param unit what is counted; bytes by default
 */
export function showProgress(
  label: string,
  terminal: Terminal,
  unit?: 'rows' | 'faces' | 'sessions',
): Progress {
  const amount = (total: number) => (unit ? `${total} ${unit}` : megabytes(total));
  if (!process.stderr.isTTY) {
    let quarters = 0;
    const update = (done: number, total: number) => {
      const reached = Math.floor((done / total) * 4);
      if (reached <= quarters) return;
      quarters = reached;
      terminal.note(`${label}: ${Math.floor((100 * done) / total)} % of ${amount(total)}`);
    };
    return { update, end: () => undefined };
  }
  const format = `${label} {bar} {percentage} % of {amount}`;
  // Without `linewrap` the library switches line wrapping off, and Ctrl-C would leave the terminal so.
  const bar = new SingleBar({ format, barsize: 30, linewrap: true }, Presets.shades_classic);
  return {
    update: (done, total) => {
      if (bar.isActive) bar.update(done);
      else bar.start(total, done, { amount: amount(total) });
    },
    end: () => bar.stop(),
  };
}
