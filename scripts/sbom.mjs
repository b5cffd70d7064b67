#!/usr/bin/env node
// `npm run sbom`: the software bill of materials (CycloneDX) of the lock file, and the report of `npm audit`, in
// `release/`. Equal lock files and versions of npm give equal bytes. `-- --offline` leaves the audit out.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { originOfRuntime, runtimeManifests } from './release/onnxruntime.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { out: { type: 'string' }, offline: { type: 'boolean' } } });
const folder = values.out ?? join(root, 'release');

mkdirSync(folder, { recursive: true });
writeBillOfMaterials();
if (!values.offline) writeAudit();

function writeBillOfMaterials() {
  const { stdout, status, stderr } = npm('sbom', '--sbom-format', 'cyclonedx', '--package-lock-only');
  if (status !== 0) fail(`npm sbom: ${stderr}`);
  const bill = JSON.parse(stdout);
  delete bill.serialNumber;
  delete bill.metadata.timestamp;
  // npm names workspaces after their folders.
  for (const part of [bill.metadata.component, ...bill.components]) part.name = nameOf(part.purl);
  addRuntime(bill);
  bill.components.sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1));
  bill.dependencies.sort((a, b) => (a.ref < b.ref ? -1 : 1));
  write('sbom.cdx.json', { ...bill, serialNumber: serialNumber(JSON.stringify(bill)) });
  console.log(`sbom.cdx.json: ${bill.components.length} packages`);
}

/** The packages that a release makes from that of ONNX Runtime, and that the published engine needs in its place. */
function addRuntime({ components, dependencies }) {
  const { name, version } = originOfRuntime();
  const { 'bom-ref': ofOrigin, type, licenses, purl } = components.find((it) => it.name === name);
  const pedigree = { ancestors: [{ type, name, version, purl }] };
  const [scripts, ...libraries] = runtimeManifests();
  const refOf = (manifest) => `${manifest.name}@${manifest.version}`;
  for (const manifest of [scripts, ...libraries]) {
    const ref = refOf(manifest);
    const about = { name: manifest.name, version: manifest.version, description: manifest.description };
    components.push({ 'bom-ref': ref, type, ...about, purl: purlOf(ref), licenses, pedigree });
    const needed = { ...manifest.dependencies, ...manifest.optionalDependencies };
    dependencies.push({ ref, dependsOn: Object.entries(needed).map((entry) => entry.join('@')) });
  }
  for (const { dependsOn } of dependencies) if (dependsOn.includes(ofOrigin)) dependsOn.push(refOf(scripts));
}

/** @example purlOf('@wajah/server@0.1.0') // 'pkg:npm/%40wajah/server@0.1.0' */
function purlOf(ref) {
  return `pkg:npm/${ref.replace(/^@/, '%40')}`;
}

/** @example nameOf('pkg:npm/%40wajah/server@0.1.0') // '@wajah/server' */
function nameOf(purl) {
  return decodeURIComponent(purl.slice('pkg:npm/'.length, purl.lastIndexOf('@')));
}

/** A UUID of version 8 (RFC 9562, 5.8) from the content. */
function serialNumber(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(12, 15)}`, `8${hex.slice(15, 18)}`];
  return `urn:uuid:${[...parts, hex.slice(18, 30)].join('-')}`;
}

/** Without a report there is no file: an old one would be taken for that of this release. */
function writeAudit() {
  rmSync(join(folder, 'audit.json'), { force: true });
  const { stdout } = npm('audit', '--json', '--package-lock-only');
  const report = parsed(stdout);
  const counts = report?.metadata?.vulnerabilities;
  if (counts === undefined) {
    const reason = report?.message ?? report?.error?.summary ?? 'npm gave no report';
    fail(`audit.json is not written, the registry does not answer npm audit: ${reason}`);
  }
  write('audit.json', report);
  const found = Object.entries(counts).map(([severity, count]) => `${severity} ${count}`);
  console.log(`audit.json: known vulnerabilities: ${found.join(', ')}`);
}

function npm(...args) {
  return spawnSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function write(name, value) {
  writeFileSync(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
