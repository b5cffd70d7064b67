import { openSync, readSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/** Head of the table whose rows `measureLoopDelay` prints, in milliseconds. */
export const loopDelayHead = `| while | took | delay p50 | p99 | max | CPU | max CPU |
| --- | --- | --- | --- | --- | --- | --- |`;

/** Processor time of this thread so far, ms, from Linux' schedstat: without waiting for other programs. */
function openClock(): () => number {
  const file = openSync('/proc/thread-self/schedstat', 'r');
  const text = Buffer.alloc(100);
  return () => Number(text.toString('latin1', 0, readSync(file, text, 0, 100, 0)).split(' ')[0]) / 1e6;
}

const cpuTime = openClock();

/** Runs `work` and prints a row: delay of the event loop meanwhile, beyond the timer's millisecond, and CPU time. */
export async function measureLoopDelay(what: string, work: () => Promise<unknown>): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let [last, longest] = [cpuTime(), 0];
  const watch = setInterval(() => {
    const now = cpuTime();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  const [start, began] = [performance.now(), last];
  delay.enable();
  await work();
  // The last task of the loop is measured too; work of a single task has no other.
  await pause(3);
  delay.disable();
  const [took, worked] = [performance.now() - start, cpuTime() - began];
  clearInterval(watch);
  const ms = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - 1).toFixed(1);
  const figures = [delay.percentile(50), delay.percentile(99), delay.max].map(ms);
  console.log(
    `| ${what} | ${took.toFixed(0)} | ${figures.join(' | ')} | ${worked.toFixed(0)} | ${longest.toFixed(1)} |`,
  );
}
