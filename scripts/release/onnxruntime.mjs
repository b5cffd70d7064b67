import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, root, VERSION } from './tools.mjs';

/** The package that the checkout uses. It has the libraries of all platforms. */
const SOURCE = join(root, 'node_modules/onnxruntime-node');

/** Platforms that Wajah runs on and ONNX Runtime has a library for: `process.platform`-`process.arch`. */
const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-arm64'];

/** How a library is loaded there, and in the packages by platform. */
const LOADS_ALL = /require\(`[^`]*\/onnxruntime_binding\.node`\)/;
const LOADS_ONE = 'require("@wajah/onnxruntime-" + process.platform + "-" + process.arch)';

/** The package that they are made from, and the version of `onnxruntime-common` that it needs. */
export function originOfRuntime() {
  const { name, version, dependencies } = readJson(join(SOURCE, 'package.json'));
  return { name, version, common: dependencies['onnxruntime-common'] };
}

/**
 * Manifests of the packages of ONNX Runtime: that of its JavaScript first, then those of its libraries, by platform. npm
 * installs the one of the optional dependencies whose platform is that of the machine.
 */
export function runtimeManifests() {
  const { name, version, common } = originOfRuntime();
  const about = (suffix, what) => ({
    name: `@wajah/onnxruntime${suffix}`,
    version: VERSION,
    description: `${what}, from the npm package ${name} ${version}`,
    license: 'MIT',
  });
  const libraries = PLATFORMS.map((platform) => {
    const [os, cpu] = platform.split('-');
    const libc = os === 'linux' ? { libc: ['glibc'] } : {};
    const parts = { main: 'onnxruntime_binding.node', os: [os], cpu: [cpu], ...libc };
    return { ...about(`-${platform}`, `Libraries of ONNX Runtime for ${platform}`), ...parts };
  });
  const scripts = {
    ...about('', 'JavaScript of ONNX Runtime'),
    main: 'dist/index.js',
    types: 'dist/index.d.ts',
    dependencies: { 'onnxruntime-common': common },
    optionalDependencies: Object.fromEntries(libraries.map((it) => [it.name, it.version])),
  };
  return [scripts, ...libraries];
}

/** Makes the content of the packages of ONNX Runtime. @returns their folders */
export function stageRuntime(stage) {
  return runtimeManifests().map((manifest) => {
    const folder = join(stage, manifest.name.replace('@wajah/', ''));
    mkdirSync(folder, { recursive: true });
    if (manifest.os) copyLibraries(folder, manifest);
    else copyScripts(folder);
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    copyFileSync(join(root, 'deploy/onnxruntime/LICENSE'), join(folder, 'LICENSE'));
    const notice = readFileSync(join(root, 'deploy/onnxruntime/NOTICE'), 'utf8');
    writeFileSync(join(folder, 'NOTICE'), notice.replaceAll('@VERSION@', originOfRuntime().version));
    return folder;
  });
}

function copyScripts(folder) {
  const scripts = (path) => !/\.[a-z]+$/.test(path) || /(\.js|\.d\.ts)$/.test(path);
  cpSync(join(SOURCE, 'dist'), join(folder, 'dist'), { recursive: true, filter: scripts });
  const binding = join(folder, 'dist/binding.js');
  const parts = readFileSync(binding, 'utf8').split(LOADS_ALL);
  if (parts.length !== 2) throw new Error(`${SOURCE}/dist/binding.js does not load its library as expected`);
  writeFileSync(binding, parts.join(LOADS_ONE));
}

/** Of two equal libraries, of which one has the full version in its name, the binding loads the other. */
function copyLibraries(folder, { os: [os], cpu: [cpu] }) {
  const from = join(SOURCE, 'bin/napi-v6', os, cpu);
  for (const name of readdirSync(from)) {
    if (!name.includes(originOfRuntime().version)) copyFileSync(join(from, name), join(folder, name));
  }
}

/** What depends on the package of all platforms depends on those by platform instead. */
export function useRuntime(manifest) {
  const { name } = originOfRuntime();
  if (!manifest.dependencies?.[name]) return;
  delete manifest.dependencies[name];
  manifest.dependencies['@wajah/onnxruntime'] = VERSION;
  for (const [key, target] of Object.entries(manifest.imports)) {
    if (target === name) manifest.imports[key] = '@wajah/onnxruntime';
  }
}
