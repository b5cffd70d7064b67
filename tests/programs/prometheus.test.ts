import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../packages/server/test/support/postgres.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { serve, wajah } from '../support/program.ts';
import { root } from '../support/sources.ts';

const missing = spawnSync('prometheus', ['--version']).error !== undefined;
const deploy = join(root, 'deploy/prometheus');

let server: Awaited<ReturnType<typeof serve>>;
/** URL of Prometheus. */
let url: string;
let stop = async (): Promise<void> => {};

/** The examples of `deploy` with the address and the token of this server, often, and a copy of the rules that does not wait. */
function configure(folder: string, target: string, token: string): string {
  cpSync(deploy, folder, { recursive: true });
  const rules = readFileSync(join(deploy, 'wajah-alerts.yml'), 'utf8');
  const [name, wait] = [/- name: wajah\n/, /for: \w+\n/g];
  expect([rules.match(name)?.length, rules.match(wait)!.length > 10]).toEqual([1, true]);
  writeFileSync(
    join(folder, 'at-once.yml'),
    rules.replace(name, '- name: at-once\n').replaceAll(wait, 'for: 0s\n'),
  );
  writeFileSync(join(folder, 'wajah.token'), token);
  const replaced = [
    ['rule_files: [wajah-alerts.yml]', 'rule_files: [wajah-alerts.yml, at-once.yml]'],
    ['/etc/prometheus/wajah.token', join(folder, 'wajah.token')],
    ["'10.0.0.5:8080', '10.0.0.6:8080'", `'${target}'`],
  ] as const;
  let config = readFileSync(join(deploy, 'prometheus.yml'), 'utf8');
  for (const [from, to] of replaced) {
    expect(config).toContain(from);
    config = config.replace(from, to);
  }
  const file = join(folder, 'prometheus.yml');
  writeFileSync(file, `global: { scrape_interval: 1s, evaluation_interval: 1s }\n${config}`);
  return file;
}

async function startPrometheus(config: string, folder: string): Promise<void> {
  const port = await freePort();
  const options = [`--config.file=${config}`, `--storage.tsdb.path=${join(folder, 'data')}`];
  const child = spawn(
    'prometheus',
    [...options, `--web.listen-address=127.0.0.1:${port}`, '--log.level=error'],
    {
      stdio: 'ignore',
    },
  );
  const ended = once(child, 'exit');
  stop = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  url = `http://127.0.0.1:${port}`;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
async function ask(path: string): Promise<any> {
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const answer: any = await fetch(`${url}/api/v1/${path}`).then((response) => response.json());
  expect(answer).toMatchObject({ status: 'success' });
  return answer.data;
}

const query = async (expression: string) =>
  (await ask(`query?query=${encodeURIComponent(expression)}`)).result as {
    metric: Record<string, string>;
    value: [number, string];
  }[];

describe.skipIf(missing)('a Prometheus with the files of deploy/', () => {
  beforeAll(async () => {
    const folder = temporaryDirectory();
    const settings = { WAJAH_DATA_DIR: join(folder, 'wajah'), WAJAH_METRICS: 'operator' };
    server = await serve(settings);
    expect((await wajah(settings, 'client', 'create', 'ops', '--operator')).code).toBe(0);
    const { out } = await wajah(
      settings,
      'token',
      'create',
      'ops',
      '--name',
      'prometheus',
      '--scopes',
      'read',
    );
    const [token = ''] = /waj_\S+/.exec(out) ?? [];
    const { host } = new URL(server.url);
    await startPrometheus(configure(join(folder, 'prometheus'), host, token), folder);
  });
  afterAll(async () => {
    await stop();
  });

  it('reads the server with the token of an operator', async () => {
    await expect
      .poll(() => ask('targets').catch(() => null))
      .toMatchObject({
        activeTargets: [
          { health: 'up', lastError: '', labels: { job: 'wajah', instance: new URL(server.url).host } },
        ],
      });
    const numberOf = async (expression: string) => Number((await query(expression))[0]?.value[1]);
    await expect.poll(() => numberOf('wajah_engine_workers_alive')).toBe(1);
    expect(await numberOf('wajah_store_up')).toBe(1);
    expect(await numberOf('sum(wajah_proportional_memory_bytes)')).toBeGreaterThan(50 << 20);
    const processes = (await query('wajah_resident_memory_bytes > 10e6')).map(
      ({ metric }) => metric['process'],
    );
    expect(processes.sort()).toEqual(['server', 'worker 1']);
  });

  it('understands every query of the dashboard', async () => {
    const { panels } = JSON.parse(readFileSync(join(root, 'deploy/grafana/wajah.json'), 'utf8')) as {
      panels: { title: string; targets?: { expr: string }[] }[];
    };
    const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(queries.length).toBeGreaterThan(40);
    for (const one of queries) {
      await query(one.replaceAll('$__rate_interval', '1m').replaceAll(/\$(job|instance)/g, '.+'));
    }
  });

  it('evaluates every rule, and none fires for a server in good order', async () => {
    const rules = async () =>
      (await ask('rules')).groups.flatMap(
        ({ name, rules: all }: { name: string; rules: { name: string; health: string; state: string }[] }) =>
          all.map((rule) => ({ ...rule, group: name })),
      ) as { name: string; group: string; health: string; state: string }[];
    const health = async () => [...new Set((await rules()).map((rule) => rule.health))];
    await expect.poll(health).toEqual(['ok']);
    const all = await rules();
    const own = all.filter(({ group }) => group === 'wajah');
    expect(own).toHaveLength(
      readFileSync(join(deploy, 'wajah-alerts.yml'), 'utf8').match(/- alert:/g)!.length,
    );
    // Without their wait, rules of the load fire on a busy machine.
    expect(own.filter(({ state }) => state === 'firing').map(({ name }) => name)).toEqual([]);
  });

  it('counts a worker that is killed, and what follows', async () => {
    const { pid } = server;
    const [worker] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    process.kill(Number(worker), 'SIGKILL');
    const faults = async () =>
      (await query('wajah_engine_worker_faults_total{cause="sigkill"}'))[0]?.value[1];
    await expect.poll(faults).toBe('1');
    const alive = async () => (await query('wajah_engine_workers_alive'))[0]?.value[1];
    await expect.poll(alive).toBe('1');
    const restarts = async () => (await query('wajah_engine_worker_restarts_total'))[0]?.value[1];
    await expect.poll(restarts).toBe('1');
  });

  it('fires when the server is gone', async () => {
    await server.stop('SIGTERM');
    const firing = async () =>
      (await ask('alerts')).alerts
        .filter(({ state }: { state: string }) => state === 'firing')
        .map(
          ({ labels, annotations }: { labels: { alertname: string }; annotations: { summary: string } }) => [
            labels.alertname,
            annotations.summary,
          ],
        );
    const summary = `${new URL(server.url).host} cannot be read`;
    await expect.poll(firing).toContainEqual(['WajahDown', summary]);
  });
});
