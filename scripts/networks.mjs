#!/usr/bin/env node
// Writes the networks of the built-in pack into the folder of the engine: those that it lacks, or has damaged, are
// converted by `models`. What is no network of the pack goes.
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtinManifest, NETWORKS, networksOf } from '../packages/engine/dist/packs/builtin.js';
import { digest, fileDigest } from '../packages/engine/dist/packs/files.js';

const networks = networksOf(await builtinManifest());
await mkdir(NETWORKS, { recursive: true });
const named = new Set(networks.map(({ file }) => file));
for (const name of await readdir(NETWORKS)) if (!named.has(name)) await rm(join(NETWORKS, name));
for (const network of networks) {
  const path = join(NETWORKS, network.file);
  if ((await fileDigest(path).catch(() => null)) !== network.source.sha256) await convert(network, path);
}

/** Renames the file when it is whole: a running server sees the former or the new one. */
async function convert(network, path) {
  // Most builds convert nothing.
  const { convertNetwork } = await import('../models/dist/convert.js');
  const bytes = await convertNetwork(network);
  if (digest(bytes) !== network.source.sha256)
    throw new Error(
      `${network.file}: converted to ${digest(bytes)}, and the manifest pins ${network.source.sha256}.`,
    );
  await writeFile(`${path}.new`, bytes);
  await rename(`${path}.new`, path);
}
