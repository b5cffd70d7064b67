import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serveHttp } from '../../packages/server/test/support/http-server.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { root } from '../support/sources.ts';

/** @param registry of this machine */
function sbom(out: string, registry: string) {
  const env = { ...process.env, npm_config_registry: registry };
  const child = spawn(process.execPath, ['scripts/sbom.mjs', '--out', out], { cwd: root, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  return new Promise<{ status: number | null; output: string }>((resolve) =>
    child.once('close', (status) => resolve({ status, output })),
  );
}

/** A registry that answers every request alike. @returns its URL */
async function registryOf(status: number, body: object): Promise<string> {
  const { url } = await serveHttp((request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  return `${url}/`;
}

describe('npm run sbom', () => {
  it('names every package of the lock file, equally each time, and reports what npm audit finds', async () => {
    const out = temporaryDirectory();
    const file = (name: string) => join(out, name);
    const text = () => readFileSync(file('sbom.cdx.json'), 'utf8');
    const found = await sbom(out, await registryOf(200, {}));
    expect(found).toMatchObject({ status: 0, output: expect.stringContaining('critical 0, total 0') });
    expect(JSON.parse(readFileSync(file('audit.json'), 'utf8'))).toMatchObject({ vulnerabilities: {} });

    const first = text();
    const { components, dependencies, serialNumber, metadata } = JSON.parse(first);
    expect(serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(metadata.component.name).toBe('wajah');
    const named = components.map(({ name, version }: Entry) => `${name}@${version}`);
    expect(lockedPackages().filter((one) => !named.includes(one))).toEqual([]);
    const runtime = components.find(({ name }: Entry) => name === '@wajah/onnxruntime-linux-x64');
    expect(runtime.pedigree.ancestors).toMatchObject([{ name: 'onnxruntime-node' }]);
    const { dependsOn } = dependencies.find(({ ref }: { ref: string }) => ref.startsWith('@wajah/engine@'));
    expect(dependsOn).toContain(`@wajah/onnxruntime@${runtime.version}`);

    writeFileSync(file('audit.json'), 'of an earlier release');
    const refused = await sbom(out, await registryOf(405, {}));
    expect(refused).toMatchObject({
      status: 1,
      output: expect.stringContaining('audit.json is not written'),
    });
    expect(existsSync(file('audit.json'))).toBe(false);
    expect(text()).toBe(first);
  });
});

interface Entry {
  /** Of an alias. */
  readonly name?: string;
  readonly version: string;
  readonly link?: boolean;
}

/** @returns `name@version` of each package that npm installs */
function lockedPackages(): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries<Entry>(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .map(([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)}@${version}`);
}
