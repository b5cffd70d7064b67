import { bad, type DoctorFinding, good } from './findings.ts';

const remedy = `install the program on this machine, for ${process.platform} ${process.arch} (npm ci without --omit=optional, or the package for this architecture)`;

/** Native parts of the installation, each loaded by the module that owns it. */
const parts: readonly (readonly [what: string, load: () => Promise<unknown>])[] = [
  ['database driver', () => import('../store/sqlite/connection/file-lock.ts')],
  ['engine', () => import('@wajah/engine')],
];

/** The version of Node, and whether the native parts are there for this platform. */
export async function checkNativeParts(): Promise<DoctorFinding[]> {
  const findings = [good('Node', process.versions.node)];
  for (const [what, load] of parts) {
    try {
      await load();
    } catch (error) {
      const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
      findings.push(bad(what, `cannot be loaded (${reason}); ${remedy}`));
    }
  }
  return findings;
}
