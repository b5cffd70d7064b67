import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bad, type Finding } from '../config/finding.ts';

/** Packages with native code, and the package of ours that loads them. */
const nativeParts = [
  ['database_driver', 'libsql', import.meta.url],
  ['image_decoder', 'sharp', import.meta.resolve('@wajah/engine')],
  ['onnx_runtime', '#onnxruntime', import.meta.resolve('@wajah/engine')],
] as const;

/** Loads a package as a module does, and prints what is wrong. */
const load = `
  const [file, name] = process.argv.slice(1);
  try { require('node:module').createRequire(file)(name); }
  catch ({ message }) { process.stdout.write(message.split('\\n')[0]); process.exitCode = 1; }`;

/** Native parts of the installation that this machine cannot load, which may end the process that tries. */
export async function checkNativeParts(): Promise<Finding[]> {
  const findings = nativeParts.map(async ([what, name, importer]) => {
    const args = ['-e', load, fileURLToPath(importer), name];
    try {
      await promisify(execFile)(process.execPath, args, { env: { ORT_DISABLE_TELEMETRY: '1' } });
      return [];
    } catch (error) {
      const { stdout, signal, message } = error as { stdout?: string; signal?: string; message: string };
      return [bad(what, `cannot be loaded (${stdout || signal || message})`, remedy())];
    }
  });
  return (await Promise.all(findings)).flat();
}

function remedy(): string {
  const { header } = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  if (process.platform === 'linux' && header?.glibcVersionRuntime === undefined)
    return 'it needs glibc, and this system has another C library (musl, as Alpine): use the image of a release, or a system with glibc';
  return `install the program on this machine, for ${process.platform} ${process.arch} (npm ci without --omit=optional, or the package for this architecture)`;
}
