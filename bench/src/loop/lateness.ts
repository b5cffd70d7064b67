import { openSync, readSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/** The columns of what `late` prints. */
export const lateHead = `| while | took | late p50 | p99 | longest | busy | longest busy |
| --- | --- | --- | --- | --- | --- | --- |`;

/** Processor time that this thread has had, ms; Linux says it. It leaves out waiting for other programs. */
function openClock(): () => number {
  const file = openSync('/proc/thread-self/schedstat', 'r');
  const text = Buffer.alloc(100);
  return () => Number(text.toString('latin1', 0, readSync(file, text, 0, 100, 0)).split(' ')[0]) / 1e6;
}

const busy = openClock();

/** Milliseconds by which the loop was late while `work` went on, above the timer's own millisecond. */
export async function late(what: string, work: () => Promise<unknown>): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let [last, longest] = [busy(), 0];
  const watch = setInterval(() => {
    const now = busy();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  const [start, began] = [performance.now(), last];
  delay.enable();
  await work();
  // The last turn counts, too, and is the only one of what takes one.
  await pause(3);
  delay.disable();
  const [took, worked] = [performance.now() - start, busy() - began];
  clearInterval(watch);
  const ms = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - 1).toFixed(1);
  const figures = [delay.percentile(50), delay.percentile(99), delay.max].map(ms);
  console.log(
    `| ${what} | ${took.toFixed(0)} | ${figures.join(' | ')} | ${worked.toFixed(0)} | ${longest.toFixed(1)} |`,
  );
}
