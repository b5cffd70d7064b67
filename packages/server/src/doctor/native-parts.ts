import { createRequire } from 'node:module';
import { requireDriver } from '../store/database/driver.ts';
import { bad, type DoctorFinding, good } from './findings.ts';

const remedy = `install the program on this machine, for ${process.platform} ${process.arch} (npm ci without --omit=optional, or the package for this architecture)`;

/** Loads a native part that the workers of the engine load. */
function requireOfEngine(name: string): void {
  const engine = createRequire(import.meta.url).resolve('@wajah/engine');
  createRequire(engine)(name);
}

const parts: readonly (readonly [what: string, load: () => void])[] = [
  ['database driver', requireDriver],
  ['image decoder', () => requireOfEngine('sharp')],
  ['ONNX Runtime', () => requireOfEngine('#onnxruntime')],
];

/** The version of Node, and whether the native parts are there for this platform. */
export function checkNativeParts(): DoctorFinding[] {
  const findings = [good('Node', process.versions.node)];
  for (const [what, load] of parts) {
    try {
      load();
    } catch (error) {
      const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
      findings.push(bad(what, `cannot be loaded (${reason}); ${remedy}`));
    }
  }
  return findings;
}
