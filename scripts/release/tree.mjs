import {
  chmodSync,
  closeSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { environmentExample } from '../../packages/guide/dist/reference.js';
import { originOfRuntime } from './onnxruntime.mjs';
import { digestOf, PACKAGES, readJson, root, run } from './tools.mjs';

/** Field e_machine of ELF, and the first bytes of the formats of macOS and Windows. */
const MACHINES = { x64: 62, arm64: 183 };
const FOREIGN = ['cffaedfe', 'cafebabe', '4d5a'];

const NODE = readJson(new URL('node.json', import.meta.url));

/**
 * Makes the self-contained installation of one processor: `bin/wajah`, `lib/node`, `lib/node_modules`, licences.
 * @param tree its folder, emptied first
 * @param stage content of the npm packages, `NAME/` each
 * @param arch `x64` or `arm64`
 */
export function makeTree(tree, stage, arch) {
  rmSync(tree, { recursive: true, force: true });
  const lib = join(tree, 'lib');
  mkdirSync(lib, { recursive: true });
  installDependencies(lib, arch);
  const ours = join(lib, 'node_modules/@wajah');
  rmSync(ours, { recursive: true });
  for (const name of [...Object.keys(PACKAGES), 'onnxruntime', `onnxruntime-linux-${arch}`])
    cpSync(join(stage, name), join(ours, name), { recursive: true });
  removeForeignParts(lib, arch);
  addNode(tree, arch);
  requireProcessor(lib, arch);
  mkdirSync(join(tree, 'bin'));
  copyFileSync(join(root, 'deploy/tarball/wajah'), join(tree, 'bin/wajah'));
  chmodSync(join(tree, 'bin/wajah'), 0o755);
  for (const name of ['LICENSE', 'CHANGELOG.md', 'deploy/tarball/README.md'])
    copyFileSync(join(root, name), join(tree, basename(name)));
  writeFileSync(join(tree, 'wajah.env.example'), environmentExample());
  copyFileSync(join(stage, 'engine/NOTICE'), join(tree, 'NOTICE'));
}

/** Installs exactly what the lock file names, for the given processor, without what only development needs. */
function installDependencies(lib, arch) {
  copyFileSync(join(root, 'package-lock.json'), join(lib, 'package-lock.json'));
  copyFileSync(join(root, 'package.json'), join(lib, 'package.json'));
  for (const folder of [...Object.values(PACKAGES), 'models']) {
    const to = join(lib, folder, 'package.json');
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(join(root, folder, 'package.json'), to);
  }
  withoutRuntime(lib);
  const platform = ['--os=linux', `--cpu=${arch}`, '--libc=glibc'];
  run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', ...platform], { cwd: lib });
  for (const name of ['package.json', 'package-lock.json', 'packages', 'lab', 'models']) {
    rmSync(join(lib, name), { recursive: true, force: true });
  }
}

/**
 * The packages of ONNX Runtime by platform are not in the lock file: of that of all platforms only what they need too is
 * installed.
 */
function withoutRuntime(lib) {
  const { name, common } = originOfRuntime();
  const [manifest, lock] = ['packages/engine/package.json', 'package-lock.json'].map((it) => join(lib, it));
  const engine = readJson(manifest);
  const locked = readJson(lock);
  for (const { dependencies } of [engine, locked.packages['packages/engine']]) {
    delete dependencies[name];
    dependencies['onnxruntime-common'] = common;
  }
  writeFileSync(manifest, JSON.stringify(engine));
  writeFileSync(lock, JSON.stringify(locked));
}

/** The package of SQLite for musl names no C library, so that npm installs it everywhere. */
function removeForeignParts(lib, arch) {
  rmSync(join(lib, `node_modules/@libsql/linux-${arch}-musl`), { recursive: true, force: true });
  rmSync(join(lib, 'node_modules/.bin'), { recursive: true, force: true });
  rmSync(join(lib, 'node_modules/.package-lock.json'), { force: true });
  for (const entry of readdirSync(lib, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && /\.(map|d\.ts|d\.mts|d\.cts)$/.test(entry.name)) {
      rmSync(join(entry.parentPath, entry.name));
    }
  }
}

/** @throws Error that names a program or library of another processor or system */
function requireProcessor(lib, arch) {
  const head = Buffer.alloc(20);
  for (const entry of readdirSync(lib, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const file = openSync(path);
    const length = readSync(file, head);
    closeSync(file);
    const text = head.toString('hex', 0, length);
    const isElf = text.startsWith('7f454c46');
    if (isElf ? head.readUInt16LE(18) !== MACHINES[arch] : FOREIGN.some((magic) => text.startsWith(magic)))
      throw new Error(`${path} is not for linux-${arch}`);
  }
}

function addNode(tree, arch) {
  const { package: name, integrity } = NODE[arch];
  const folder = join(tree, '.node');
  mkdirSync(folder);
  run('npm', ['pack', `${name}@${NODE.version}`, '--pack-destination', folder, '--loglevel=error']);
  const archive = join(folder, `${name}-${NODE.version}.tgz`);
  const found = `sha512-${digestOf(archive, 'sha512', 'base64')}`;
  if (found !== integrity)
    throw new Error(`${name}@${NODE.version} has the digest ${found}, not ${integrity}`);
  run('tar', ['-xzf', archive, '-C', folder]);
  copyFileSync(join(folder, 'package/bin/node'), join(tree, 'lib/node'));
  chmodSync(join(tree, 'lib/node'), 0o755);
  copyFileSync(join(folder, 'package/LICENSE'), join(tree, 'lib/LICENSE.node'));
  rmSync(folder, { recursive: true });
  writeFileSync(join(tree, 'lib/NODE_VERSION'), `${NODE.version}\n`);
}
