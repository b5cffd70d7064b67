import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../test/support/temporary.ts';
import { machineCores, machineMemory } from './machine.ts';

const gib = 2 ** 30;

/** The root of a file system with these files. */
function systemOf(files: Readonly<Record<string, string>>): string {
  const root = temporaryDirectory();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), `${text}\n`);
  }
  return root;
}

const unified = '30 22 0:27 / /sys/fs/cgroup rw,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate';
const cpuAndMemory = [
  '31 30 0:28 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct',
  '34 30 0:31 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory',
  '40 30 0:37 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw',
].join('\n');

describe('of 16 cores a process may use those of its cgroups:', () => {
  it.each<[string, Record<string, string>, number, number]>([
    ['none', {}, 16, Number.POSITIVE_INFINITY],
    [
      'version 2, of a container that sees its own only',
      {
        'proc/self/cgroup': '0::/',
        'proc/self/mountinfo': unified,
        'sys/fs/cgroup/cpu.max': '200000 100000',
        'sys/fs/cgroup/memory.max': String(gib / 4),
      },
      2,
      gib / 4,
    ],
    [
      'version 2, nested: the least of all above counts, max is none',
      {
        'proc/self/cgroup': '0::/system.slice/wajah.service',
        'proc/self/mountinfo': unified,
        'sys/fs/cgroup/system.slice/cpu.max': '350000 100000',
        'sys/fs/cgroup/system.slice/memory.high': String(gib / 8),
        'sys/fs/cgroup/system.slice/wajah.service/cpu.max': 'max 100000',
        'sys/fs/cgroup/system.slice/wajah.service/memory.max': 'max',
        'sys/fs/cgroup/system.slice/wajah.service/memory.high': 'max',
      },
      3,
      gib / 8,
    ],
    [
      'version 1, beside version 2 without controllers',
      {
        'proc/self/cgroup': '3:memory:/box\n2:cpu,cpuacct:/box/inner\n0::/',
        'proc/self/mountinfo': cpuAndMemory,
        'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '-1',
        'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us': '100000',
        'sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us': '400000',
        'sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_period_us': '50000',
        'sys/fs/cgroup/cpu,cpuacct/box/inner/cpu.cfs_quota_us': '-1',
        'sys/fs/cgroup/cpu,cpuacct/box/inner/cpu.cfs_period_us': '100000',
        'sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712',
        'sys/fs/cgroup/memory/box/memory.limit_in_bytes': String(gib / 2),
      },
      8,
      gib / 2,
    ],
    [
      'version 1 of a container, whose own cgroup is mounted as the root',
      {
        'proc/self/cgroup': '4:memory:/docker/4b9e\n2:cpu:/docker/4b9e',
        'proc/self/mountinfo': [
          '31 30 0:28 /docker/4b9e /sys/fs/cgroup/cpu ro,relatime - cgroup cgroup rw,cpu',
          '34 30 0:31 /docker/4b9e /sys/fs/cgroup/memory ro,relatime - cgroup cgroup rw,memory',
        ].join('\n'),
        'sys/fs/cgroup/cpu/cpu.cfs_quota_us': '150000',
        'sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000',
        'sys/fs/cgroup/memory/memory.limit_in_bytes': String(gib / 4),
      },
      1,
      gib / 4,
    ],
    [
      'less than one core',
      { 'proc/self/cgroup': '0::/', 'proc/self/mountinfo': unified, 'sys/fs/cgroup/cpu.max': '50000 100000' },
      1,
      Number.POSITIVE_INFINITY,
    ],
  ])('%s', (_, files, cores, memory) => {
    const root = systemOf(files);
    expect(machineCores(root, 16)).toBe(cores);
    expect(machineMemory(root)).toBe(Math.min(memory, totalmem()));
  });
});

const controllers = ['cpu', 'memory'].map((name) => `/sys/fs/cgroup/${name}`);
const mayLimit = process.getuid?.() === 0 && controllers.every((it) => existsSync(join(it, 'tasks')));

it.runIf(mayLimit)('the kernel keeps a process to the cores and the memory that are told', () => {
  const groups = controllers.map((it) => join(it, `wajah-test-${process.pid}`));
  for (const group of groups) mkdirSync(group);
  onTestFinished(() => void groups.map((group) => rmdirSync(group)));
  const [cpu = '', memory = ''] = groups;
  writeFileSync(join(cpu, 'cpu.cfs_quota_us'), '250000');
  writeFileSync(join(memory, 'memory.limit_in_bytes'), String(gib));
  const module = new URL('../../dist/lib/machine.js', import.meta.url);
  const script = `import(${JSON.stringify(module.href)}).then((it) => console.log(it.machineCores('/', 16), it.machineMemory()))`;
  const line = `for it in ${groups.join(' ')}; do echo $$ > $it/tasks; done; exec "$0" -e "$1"`;
  const out = execFileSync('/bin/sh', ['-c', line, process.execPath, script], { encoding: 'utf8' });
  expect(out.trim()).toBe(`2 ${gib}`);
});
