/**
 * Runs `work` with its progress on standard error: a bar on a terminal, else a line at each quarter.
 * @param total number of steps; `work` calls `step` after each
 * @param unit what a step is
 */
export async function withProgress<T>(
  label: string,
  total: number,
  work: (step: () => void) => Promise<T>,
  unit = 'pictures',
): Promise<T> {
  // Loaded when it is needed: a program that refuses its arguments starts without the server.
  const { showProgress } = await import('@wajah/server');
  const progress = showProgress(label, { note: (text) => console.error(text) }, unit);
  let done = 0;
  try {
    return await work(() => progress.update(++done, total));
  } finally {
    progress.end();
  }
}
