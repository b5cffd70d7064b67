import { writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes files into a folder, which is created if it is missing. @returns their paths */
export async function writeAll(folder: string, files: Readonly<Record<string, string>>): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  return Object.entries(files).map(([file, text]) => {
    const path = join(folder, file);
    writeFileSync(path, text);
    return path;
  });
}
