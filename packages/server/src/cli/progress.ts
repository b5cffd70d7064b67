import { Presets, SingleBar } from 'cli-progress';
import { megabytes, type Terminal } from './terminal.ts';

/** Progress of a long operation. */
export interface Progress {
  update(done: number, total: number): void;
  /** Must be called, also after an error: the bar redraws on a timer that keeps the process alive. Idempotent. */
  end(): void;
}

/**
 * Shows progress on the standard error with the rate and the time left: a bar on a terminal, else a line at each
 * quarter.
 * @param unit what is counted; bytes by default
 */
export function showProgress(label: string, terminal: Pick<Terminal, 'note'>, unit?: string): Progress {
  const amount = (total: number) => (unit ? `${total} ${unit}` : megabytes(total));
  const pace = paceOf((rate) => (unit ? `${roundedRate(rate)} ${unit}/s` : `${megabytes(rate)}/s`));
  if (!process.stderr.isTTY) {
    let quarters = 0;
    const update = (done: number, total: number) => {
      const reached = Math.floor((done / total) * 4);
      if (reached <= quarters) return;
      quarters = reached;
      const share = Math.floor((100 * done) / total);
      terminal.note(`${label}: ${share} % of ${amount(total)}${pace(done, total)}`);
    };
    return { update, end: () => undefined };
  }
  const format = `${label} {bar} {percentage} % of {amount}{pace}`;
  // Without `linewrap` the library switches line wrapping off, and Ctrl-C would leave the terminal so.
  const bar = new SingleBar({ format, barsize: 30, linewrap: true }, Presets.shades_classic);
  return {
    update: (done, total) => {
      const shown = { amount: amount(total), pace: pace(done, total) };
      if (bar.isActive) bar.update(done, shown);
      else bar.start(total, done, shown);
    },
    end: () => bar.stop(),
  };
}

/** Rate since the first call, and the time left at that rate. */
function paceOf(rateText: (rate: number) => string): (done: number, total: number) => string {
  let first: { readonly at: number; readonly done: number } | undefined;
  return (done, total) => {
    const at = performance.now();
    first ??= { at, done };
    const rate = ((done - first.done) / (at - first.at)) * 1000;
    if (!(rate > 0) || !Number.isFinite(rate)) return '';
    return `, ${rateText(rate)}, ${durationText((total - done) / rate)} left`;
  };
}

const roundedRate = (rate: number) => (rate >= 10 ? Math.round(rate) : Number(rate.toPrecision(2)));

function durationText(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}
