import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingList } from '@wajah/server';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { root } from '../support/sources.ts';

const chart = join(root, 'deploy/helm/wajah');
const parsed = <T>(name: string) => parse(readFileSync(join(chart, name), 'utf8')) as T;

describe('deploy/helm', () => {
  it('has the version of the packages, and settings that exist', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(parsed('Chart.yaml')).toMatchObject({ version, appVersion: version });
    const { settings } = parsed<{ settings: Record<string, string> }>('values.yaml');
    const known = settingList.map(({ name }) => name as string);
    for (const setting of Object.keys(settings)) expect(known).toContain(setting);
  });
});

type Resource = Readonly<Record<string, unknown>> & { readonly kind: string };

/** Modules of `kubernetes-types` by the kind of a resource. */
const modules: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  Ingress: 'networking/v1',
  PersistentVolumeClaim: 'core/v1',
  PodDisruptionBudget: 'policy/v1',
  Service: 'core/v1',
};

const hasHelm = (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, 'helm')));
const go = '/usr/share/gocode';
const libraries = ['github.com/Masterminds/sprig', 'sigs.k8s.io/yaml'];
const hasGo = existsSync('/usr/bin/go') && libraries.every((name) => existsSync(join(go, 'src', name)));

describe.skipIf(!(hasHelm || hasGo))('the rendered chart', () => {
  let folder = '';
  beforeAll(() => {
    folder = temporaryDirectory();
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    if (hasHelm) return;
    const env = { ...process.env, GO111MODULE: 'off', GOPATH: go, GOCACHE: join(folder, 'cache') };
    const source = join(root, 'tests/support/helm-template.go');
    execFileSync('go', ['build', '-o', join(folder, 'helm-template'), source], { env });
  });

  function render(values: object): Resource[] {
    const given = JSON.stringify(values);
    writeFileSync(join(folder, 'values.json'), given);
    const text = hasHelm
      ? execFileSync('helm', ['template', 'door', chart, '--values', join(folder, 'values.json')])
      : execFileSync(join(folder, 'helm-template'), [chart, 'door', given], { stdio: 'pipe' });
    return parseAllDocuments(text.toString())
      .map((document) => document.toJS() as Resource | null)
      .filter((resource) => resource !== null);
  }

  /** Messages of the compiler about unknown and missing fields, and values of a wrong type. */
  function faultsOf(resources: readonly Resource[]): string {
    const lines = resources.map(
      (resource, i) =>
        `export const r${i}: import('kubernetes-types/${modules[resource.kind]}').${resource.kind} = ${JSON.stringify(resource)};`,
    );
    writeFileSync(join(folder, 'resources.ts'), lines.join('\n'));
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext'];
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const place = ['--moduleResolution', 'bundler', join(folder, 'resources.ts')];
    try {
      return execFileSync(process.execPath, [compiler, ...options, ...place], { encoding: 'utf8' });
    } catch (error) {
      return String((error as { stdout: string }).stdout);
    }
  }

  const kindsOf = (resources: readonly Resource[]) => resources.map(({ kind }) => kind).sort();

  it('is one server with a volume by default', () => {
    const resources = render({});
    expect(kindsOf(resources)).toEqual(['Deployment', 'PersistentVolumeClaim', 'Service']);
    expect(faultsOf(resources)).toBe('');
  });

  it('is several servers with PostgreSQL, an ingress and a disruption budget', () => {
    const choice = { nodeSelector: { disk: 'fast' }, tolerations: [{ key: 'faces', operator: 'Exists' }] };
    const resources = render({
      database: true,
      replicas: 3,
      ingress: { enabled: true, className: 'nginx' },
      imagePullSecrets: [{ name: 'registry' }],
      ...choice,
    });
    expect(kindsOf(resources)).toEqual(['Deployment', 'Ingress', 'PodDisruptionBudget', 'Service']);
    expect(faultsOf(resources)).toBe('');
    const spec = { replicas: 3, template: { spec: { ...choice, enableServiceLinks: false } } };
    expect(resources.find(({ kind }) => kind === 'Deployment')).toMatchObject({ spec });
  });

  it('takes the image by its digest', () => {
    const image = { repository: 'registry.example.com/wajah', digest: `sha256:${'0'.repeat(64)}` };
    const containers = [{ image: `${image.repository}@${image.digest}` }];
    expect(render({ image }).find(({ kind }) => kind === 'Deployment')).toMatchObject({
      spec: { template: { spec: { containers } } },
    });
  });

  it('is refused with several servers and the embedded database', () => {
    expect(() => render({ replicas: 2 })).toThrow(/need PostgreSQL/);
  });

  it('is compared with the fields of Kubernetes', () => {
    const [first] = render({}).filter(({ kind }) => kind === 'Service');
    expect(faultsOf([{ ...first!, spec: { prots: [] } }])).toMatch(/prots.*does not exist/);
  });
});
