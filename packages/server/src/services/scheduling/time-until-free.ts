/**
 * Time until a worker is free, milliseconds, when further work is given to the worker that is free first.
 * @param busyFor of each worker, milliseconds @param work milliseconds
 */
export function timeUntilFree(busyFor: readonly number[], work: number): number {
  const sorted = [...busyFor].sort((a, b) => a - b);
  let filled = 0;
  for (const [index, time] of sorted.entries()) {
    const next = sorted[index + 1] ?? Number.POSITIVE_INFINITY;
    const room = (next - time) * (index + 1);
    if (filled + room >= work) return time + (work - filled) / (index + 1);
    filled += room;
  }
  return 0;
}
