import { readFile, readlink } from 'node:fs/promises';

/**
 * Proportional memory of a process of this program (PSS): a page that n processes share counts 1/n.
 * @param pid process id; absent: this process
 * @returns bytes; null where the system does not tell it, or the process runs another program or has ended
 */
export async function proportionalBytes(pid: number | 'self' = 'self'): Promise<number | null> {
  try {
    const [program, own] = await Promise.all([readlink(`/proc/${pid}/exe`), readlink('/proc/self/exe')]);
    if (program !== own) return null;
    const kibibytes = /^Pss: +(\d+) kB$/m.exec(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
    return kibibytes === undefined ? null : Number(kibibytes) * 1024;
  } catch {
    return null;
  }
}
