import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';

export const QEMU = '/usr/bin/qemu-aarch64-static';

/** Whether this machine has the emulator, and unpacks packages of Debian for arm64. */
export const canEmulateArm64 =
  process.platform === 'linux' && [QEMU, '/usr/bin/mmdebstrap'].every((path) => existsSync(path));

/** What the programs load from the system, and a description of the processor. */
export function arm64System(): string {
  const folder = join(temporaryDirectory(), 'system');
  const options = ['--quiet', '--variant=extract', '--architectures=arm64'];
  const hooks = '--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr';
  execFileSync(
    'mmdebstrap',
    [...options, '--include=libc6,libgcc-s1,libstdc++6', hooks, 'bookworm', folder],
    {
      stdio: 'pipe',
    },
  );
  mkdirSync(join(folder, 'proc'), { recursive: true });
  writeFileSync(join(folder, 'proc/cpuinfo'), processors);
  return folder;
}

/**
 * qemu 7.2 shows programs the description of the real processors otherwise, and ONNX Runtime then reads a null pointer
 * when it is loaded. Version 10.0 has one of its own.
 */
const processors = Array.from(
  { length: 2 },
  (_, i) =>
    `processor\t: ${i}\nFeatures\t: fp asimd aes pmull sha1 sha2 crc32\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x0\nCPU part\t: 0xd07\nCPU revision\t: 0\n\n`,
).join('');
