import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, parse, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { modelFolders, type PreparedPack } from '../../packs/builtin.ts';

/** A program and its arguments. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** How a worker is started. */
export interface Launch {
  /** Compiled file of the worker. */
  readonly entry: string;
  readonly pack: PreparedPack;
  /** Memory that the worker may allocate, bytes. */
  readonly memoryBytes: number;
  /** Program, with its arguments, that starts the worker with fewer rights; empty: none. */
  readonly launcher: readonly string[];
}

const MODULES = 'node_modules';

/** Pixels and tensors are outside of the heap. */
const HEAP_MIB = 512;

/**
 * Limits memory (RLIMIT_DATA, kibibytes) unless a lower limit is set already; leaves no core dumps, which hold faces; has
 * the kernel end a worker rather than the server when memory runs out.
 */
const LIMITED = [
  'ulimit -c 0',
  '(ulimit -d "$1") 2>/dev/null && ulimit -d "$1"',
  '(echo 500 > /proc/$$/oom_score_adj) 2>/dev/null',
  'shift',
  'exec "$@"',
].join('; ');
const SHELL = '/bin/sh';

/**
 * V8's helper threads of the garbage collector wait for each other and take time of other workers: without them a frame
 * of a liveness session takes a sixth less CPU time.
 */
const ONE_THREAD = '--single-threaded-gc';

/** Pixels outside of V8's heap start a marking every few frames: at once it takes 5 ms a frame less than in small steps. */
const WHOLE_MARKING = '--no-incremental-marking';

/**
 * A young generation of a megabyte and garbage that is collected on request: a worker keeps 50 MB less after frames of a
 * liveness session, at the same CPU time.
 */
const SMALL_HEAP = ['--max-semi-space-size=1', '--expose-gc'] as const;

/** The command that starts a worker with the rights that its platform can take away. */
export function workerCommand({ entry, pack, memoryBytes, launcher }: Launch): Command {
  const heap = [ONE_THREAD, WHOLE_MARKING, ...SMALL_HEAP, `--max-old-space-size=${HEAP_MIB}`];
  const node = [process.execPath, ...heap, ...permissions(entry, pack), entry];
  // Elsewhere the kernel does not enforce the limit.
  const limited = process.platform === 'linux' && existsSync(SHELL);
  const dataBytes = limited ? memoryBytes + reservedForCode() : 0;
  const shell = limited ? [SHELL, '-c', LIMITED, 'sh', String(Math.ceil(dataBytes / 1024))] : [];
  const [file = '', ...args] = [...withoutCapabilities(), ...launcher, ...shell, ...node];
  return { file, args, cwd: parse(process.execPath).root };
}

const SETPRIV = '/usr/bin/setpriv';

/**
 * Takes the capabilities away that this process hands on to its programs (capabilities(7), "ambient"): that of a low port,
 * or those of a command that root runs as another user. First, as some launchers refuse to start with one.
 */
function withoutCapabilities(): string[] {
  if (process.platform !== 'linux' || !existsSync(SETPRIV)) return [];
  const handedOn = /^CapAmb:\s*0*[1-9a-f]/m.test(readFileSync('/proc/self/status', 'utf8'));
  return handedOn ? [SETPRIV, '--inh-caps=-all', '--ambient-caps=-all'] : [];
}

/**
 * Bytes of address space that V8 reserves for compiled code, which count as data: 512 MiB from Node 24 on. This process
 * has the same reservation as its workers.
 */
function reservedForCode(): number {
  const ranges = readFileSync('/proc/self/maps', 'utf8').matchAll(/^([0-9a-f]+)-([0-9a-f]+) rwxp/gm);
  return [...ranges].reduce(
    (sum, [, from = '', to = '']) => sum + Number(`0x${to}`) - Number(`0x${from}`),
    0,
  );
}

/**
 * Options of Node's permission model, where this version has it: the worker reads its code and its models. It writes no
 * file and starts neither processes nor threads. Native addons are allowed, and the model does not bind them.
 */
function permissions(entry: string, pack: PreparedPack): string[] {
  const flags = process.allowedNodeEnvironmentFlags;
  const model = ['--permission', '--experimental-permission'].find((flag) => flags.has(flag));
  const models = modelFolders(pack);
  const real = [...codeFolders(entry), ...models].map((it) => realpathSync(it));
  // The models are opened by the names that they were given, where a link may be in.
  const folders = outermost([...real, ...models]);
  // These characters have a meaning in the option.
  if (!model || folders.some((folder) => /[,*]/.test(folder))) return [];
  return [
    model,
    '--allow-addons',
    ...folders.map((folder) => `--allow-fs-read=${folder}`),
    // Of the model itself, where it is an experiment, and of addons.
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
  ];
}

/** Folders that lie in no other one: Node 20 takes a folder once, and ends when it is given twice. */
function outermost(folders: readonly string[]): string[] {
  const all = [...new Set(folders)];
  return all.filter((folder) => !all.some((other) => folder !== other && folder.startsWith(other + sep)));
}

/** The engine's own folder, and those that its dependencies are found in; a dependency may be a link into another one. */
function codeFolders(entry: string): string[] {
  const own = fileURLToPath(new URL('../../../', import.meta.url));
  const { dependencies } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));
  const folders = [own, dirname(entry)];
  for (let folder = own; ; folder = dirname(folder)) {
    const packages = join(folder, MODULES);
    if (existsSync(packages)) folders.push(packages);
    for (const name of Object.keys(dependencies)) {
      const linked = join(packages, name);
      if (existsSync(linked)) folders.push(modulesAround(realpathSync(linked)));
    }
    if (folder === dirname(folder)) return folders;
  }
}

/** The outermost folder of packages that a package lies in; itself where it lies in none. */
function modulesAround(folder: string): string {
  const at = folder.indexOf(`${sep}${MODULES}${sep}`);
  return at < 0 ? folder : folder.slice(0, at + 1 + MODULES.length);
}

/**
 * A compiled file of the engine: Node runs no TypeScript, so the sources use the build.
 * @param path below `dist`
 */
export function compiledFile(path: string): string {
  const beside = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  return existsSync(beside) ? beside : fileURLToPath(new URL(`../../../dist/${path}`, import.meta.url));
}
