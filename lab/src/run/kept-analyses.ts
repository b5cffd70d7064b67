import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import type { Analysis, AnalyzeRequest, Engine, Face } from '@wajah/engine';

/**
 * An engine whose analyses are stored in a folder and found again, by the same build of the engine. Analyses with PAD
 * networks also serve an engine without them, which knows nothing of a presentation.
 */
export function keptAnalyses(engine: Engine, folder: string): Engine {
  const build = buildDigest();
  const analyze: Engine['analyze'] = async (image, request, options) => {
    const names = [keyOf(build, image, request, 'networks'), keyOf(build, image, request, 'own')] as const;
    const [withNetworks, own] = names.map((name) => join(folder, `${name}.v8`)) as [string, string];
    if (existsSync(withNetworks)) {
      const kept: Analysis = deserialize(await readFile(withNetworks));
      return engine.padPack === null ? withoutNetworks(kept) : kept;
    }
    const file = engine.padPack === null ? own : withNetworks;
    if (existsSync(file)) return deserialize(await readFile(file));
    const fresh = await engine.analyze(image, request, options);
    await mkdir(folder, { recursive: true });
    await writeFile(`${file}.part`, serialize(fresh));
    await rename(`${file}.part`, file);
    return fresh;
  };
  return { ...engine, analyze };
}

function keyOf(build: string, image: Uint8Array, request: AnalyzeRequest, kind: string): string {
  const hash = createHash('sha256').update(build).update(JSON.stringify(request)).update(kind);
  return hash.update(image).digest('hex').slice(0, 32);
}

/** Of the code and the learned parameters of the engine. */
function buildDigest(): string {
  const root = dirname(dirname(fileURLToPath(import.meta.resolve('@wajah/engine'))));
  const hash = createHash('sha256');
  for (const part of ['dist', 'data']) {
    const names = readdirSync(join(root, part), { recursive: true }).map(String).sort();
    for (const name of names.filter((one) => /\.(js|json|wasm)$/.test(one))) {
      hash.update(name).update(readFileSync(join(root, part, name)));
    }
  }
  return hash.digest('hex');
}

function withoutNetworks(analysis: Analysis): Analysis {
  const faces = analysis.faces.map((face): Face => {
    if (!face.spoof) return face;
    return { ...face, spoof: { ...face.spoof, score: 0.5, networks: [] } };
  });
  return { ...analysis, faces };
}
