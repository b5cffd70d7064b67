#!/usr/bin/env node
// `npm run release`: the npm packages, the self-contained archives, the Debian packages and the image, with their
// SHA-256 sums, the bill of materials and the OpenAPI 3.0 document, in `release/`. Equal sources give equal bytes.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { makeDebian } from './debian.mjs';
import { makeImage } from './image.mjs';
import { packPackages } from './npm-packages.mjs';
import { ARCHITECTURES, digestOf, root, run, tarball, VERSION } from './tools.mjs';
import { makeTree } from './tree.mjs';

const help = `npm run release -- [options]

  --out <folder>           where to (default: release/); it is emptied first
  --arch <names>           x64, arm64 or both, separated by a comma (default: both)
  --pad <folder>           files of the pack pad; none: without it (default: it is downloaded)
  --with <pack[=folder]>   a further pack; may be repeated
  --compression <0..9>     of xz (default: 6)

It needs network access for Node.js, packages of npm and packs without a folder; images need buildah and mmdebstrap.`;

const { values } = parsed({
  options: {
    help: { type: 'boolean', short: 'h', default: false },
    out: { type: 'string', default: join(root, 'release') },
    arch: { type: 'string', default: 'x64,arm64' },
    pad: { type: 'string' },
    with: { type: 'string', multiple: true, default: [] },
    compression: { type: 'string', default: '6' },
  },
});
if (values.help) {
  say(help);
  process.exit(0);
}
const { out, compression } = values;
const architectures = values.arch.split(',').filter(Boolean);
const unknown = architectures.filter((arch) => !(arch in ARCHITECTURES));
if (unknown.length > 0) refuse(`--arch: ${unknown.join(', ')}; allowed: x64, arm64`);
if (!/^[0-9]$/.test(compression)) refuse(`--compression: ${compression}; allowed: 0 to 9`);
const work = join(out, '.work');
const stage = join(work, 'packages');

try {
  await make();
} catch (error) {
  refuse(reasonOf(error));
}

async function make() {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  say('npm packages');
  await packPackages(join(out, 'npm'), stage, values.pad, values.with);
  await writeOpenApi();
  for (const arch of architectures) makeInstallation(arch);
  run(process.execPath, ['scripts/sbom.mjs', '--offline', '--out', out]);
  rmSync(work, { recursive: true });
  writeSums();
}

function parsed(options) {
  try {
    return parseArgs(options);
  } catch (error) {
    return refuse(`${error.message} (--help says more)`);
  }
}

/** What went wrong, and what a machine without network access has to bring. */
function reasonOf(error) {
  const text = [error, error.cause].map((it) => it?.message ?? '').join('\n');
  if (
    !/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|fetch failed|cannot be (downloaded|reached)/.test(
      text,
    )
  )
    return error.stack;
  return `${text.trim()}\nA release needs network access: Node.js and the packages come from the registry of npm; for packs see --pad and --with.`;
}

function refuse(text) {
  console.error(`release: ${text}`);
  process.exit(1);
}

function makeInstallation(arch) {
  const name = `wajah-${VERSION}-linux-${ARCHITECTURES[arch]}`;
  say(name);
  makeTree(join(work, name), stage, arch);
  tarball(join(out, `${name}.tar.xz`), work, [name], compression);
  say(makeDebian(out, join(work, 'debian'), join(work, name), arch, compression));
  say(makeImage(out, join(work, 'image'), arch) ?? 'no image: it needs the programs buildah and mmdebstrap');
}

/** For generators of clients that do not know OpenAPI 3.1, which the server answers. */
async function writeOpenApi() {
  const { openApiDocument } = await import(
    pathToFileURL(join(root, 'packages/contract/dist/openapi.js')).href
  );
  writeFileSync(
    join(out, 'openapi-3.0.json'),
    `${JSON.stringify(openApiDocument(VERSION, '3.0.3'), null, 2)}\n`,
  );
}

/** In the form that `sha256sum --check` reads. */
function writeSums() {
  const files = readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(out.length + 1))
    .sort();
  writeFileSync(
    join(out, 'SHA256SUMS'),
    files.map((name) => `${digestOf(join(out, name))}  ${name}\n`).join(''),
  );
}

function say(text) {
  console.log(text);
}
