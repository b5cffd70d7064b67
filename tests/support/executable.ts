import { accessSync, constants } from 'node:fs';

/** The first path that can be run. */
export function executableOf(paths: readonly (string | undefined)[]): string | undefined {
  return paths.find((path) => {
    if (!path) return false;
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
