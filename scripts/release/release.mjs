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

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(root, 'release') },
    arch: { type: 'string', default: 'x64,arm64' },
    pad: { type: 'string' },
    with: { type: 'string', multiple: true, default: [] },
    compression: { type: 'string', default: '6' },
  },
});
const { out, compression } = values;
const work = join(out, '.work');
const stage = join(work, 'packages');

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
say('npm packages');
await packPackages(join(out, 'npm'), stage, values.pad, values.with);
await writeOpenApi();
for (const arch of values.arch.split(',').filter(Boolean)) makeInstallation(arch);
run(process.execPath, ['scripts/sbom.mjs', '--offline', '--out', out]);
rmSync(work, { recursive: true });
writeSums();

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
