import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stageRuntime, useRuntime } from './onnxruntime.mjs';
import { PACKAGES, readJson, root, run } from './tools.mjs';

/**
 * Makes the npm packages: the built workspaces, and ONNX Runtime by platform.
 * @param out folder of the packages
 * @param stage folder for their content, emptied first: `NAME/` of each package
 * @param packsFolder with the files of the recommended packs; absent: they are downloaded; `none`: the packages come
 *   without them
 * @param others further packs, `PACK`, which is downloaded, or `PACK=FOLDER` with its files
 */
export async function packPackages(out, stage, packsFolder, others) {
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const [name, folder] of Object.entries(PACKAGES)) stagePackage(join(root, folder), join(stage, name));
  await installPacks(join(stage, 'engine'), packsFolder, others);
  const folders = [...Object.keys(PACKAGES).map((name) => join(stage, name)), ...stageRuntime(stage)];
  run('npm', ['pack', ...folders, '--pack-destination', out, '--silent']);
}

/** Copies what `files` names, without compiled tests and build state, and the licence. */
function stagePackage(from, to) {
  const manifest = readJson(join(from, 'package.json'));
  mkdirSync(to, { recursive: true });
  for (const name of [...manifest.files, 'README.md']) {
    if (existsSync(join(from, name)))
      cpSync(join(from, name), join(to, name), { recursive: true, filter: belongs });
  }
  cpSync(join(root, 'LICENSE'), join(to, 'LICENSE'));
  delete manifest.devDependencies;
  delete manifest.private;
  useRuntime(manifest);
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Leaves out source maps, whose sources are not there, and what a deleted source was compiled to. */
function belongs(path) {
  if (/\.(tsbuildinfo|map|wat)$/.test(path)) return false;
  const [, folder, module] = /^(.*)\/dist\/(.*?)(?:\.d\.ts|\.js)$/.exec(path) ?? [];
  return !module || folder.endsWith('/console') || existsSync(`${folder}/src/${module}.ts`);
}

/** Installs the recommended packs, and others, beside the built-in networks, and says where all of them come from. */
async function installPacks(folder, packsFolder, others) {
  const engine = (path) => import(pathToFileURL(join(root, 'packages/engine/dist', path)).href);
  const { builtinManifest, networksOf } = await engine('packs/builtin.js');
  const { definitionOf, installPack, RECOMMENDED_PACK, RECOMMENDED_PAD_PACK } = await engine('index.js');
  const networks = networksOf(await builtinManifest());
  mkdirSync(join(folder, 'packs'));
  const recommended = packsFolder === 'none' ? [] : [RECOMMENDED_PAD_PACK, RECOMMENDED_PACK];
  const named = recommended.map((id) => (packsFolder ? `${id}=${packsFolder}` : id));
  for (const pack of [...named, ...others]) {
    const [id, from] = pack.split('=');
    const definition = await definitionOf(id, from);
    await installPack(definition, join(folder, 'packs'), from ? { from } : {});
    networks.push(...Object.values(definition.networks));
  }
  writeFileSync(join(folder, 'NOTICE'), noticeOf(networks));
}

function noticeOf(networks) {
  const rows = networks.map(
    ({ file, origin, licence, quantised }) =>
      `${file}: ${origin}; ${licence}${quantised ? '; quantised to eight bits' : ''}`,
  );
  return `Networks of this package, where they come from and their licences.\nThose of the folder networks were converted to ONNX.\n\n${rows.join('\n')}\n\nThe repository of HSE FaceRes states no licence; it is used under the MIT licence of the\nnpm package @vladmandic/human, which distributes it.\n`;
}
