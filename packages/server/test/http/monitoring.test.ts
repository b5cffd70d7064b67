import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { openTestEngine } from '../../../engine/test/support/shared-engine.ts';
import { atEnd } from '../support/temporary.ts';
import { drawPictures, startTestApp } from '../support/test-app.ts';

const root = new URL('../../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const promtool = (...args: string[]) =>
  ['promtool', args, { cwd: new URL('deploy/prometheus', root) }] as const;
const noPromtool = spawnSync('promtool', ['--version']).error !== undefined;

const engine = await openTestEngine();
atEnd(() => engine.close());
const server = await startTestApp({ WAJAH_METRICS: 'open' }, { engine });
const [client, { ani, budi }] = [await server.client(), await drawPictures()];
const who = { user_id: 'ani', facegallery_id: client.gallery };
await client.call(endpoints.enrolFace, { ...who, user_name: 'Ani', image: ani });
await client.call(endpoints.identifyFace, { facegallery_id: client.gallery, image: budi });
const required = { angle: 'face left', spoof_detection: false };
await client.call(endpoints.verifyLiveness, { ...who, image: budi, face_parameters: required });
await client.call(endpoints.listFaces, { facegallery_id: 'none' });
const { body: text, statusCode, headers } = await server.app.inject({ url: '/metrics' });

/** Labels by the name of a sample, such as `…_bucket`. */
function samples(): Map<string, readonly string[]> {
  const metrics = server.context.events.registry.getMetricsAsArray() as unknown as Metric[];
  return new Map<string, readonly string[]>(
    metrics.flatMap(({ name, labelNames }) => [
      [name, labelNames] as const,
      ...['bucket', 'sum', 'count'].map((end) => [`${name}_${end}`, ['le', ...labelNames]] as const),
    ]),
  );
}

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly labelNames: string[];
}

describe('/metrics', () => {
  const value = (sample: string) => Number(text.match(new RegExp(`^${sample} (\\S+)$`, 'm'))?.[1]);

  it('is text, and counts events, calls, their answers and workers', () => {
    expect([statusCode, headers['content-type']]).toEqual([
      200,
      expect.stringMatching(/^text\/plain; version=/),
    ]);
    expect(value('wajah_events_total\\{event="refused",outcome="galleryNotFound"\\}')).toBe(1);
    const calls = (path: string, status: string) =>
      value(`wajah_http_request_duration_seconds_count\\{route="${path}",status="${status}"\\}`);
    expect(calls(endpoints.enrolFace.path, '200')).toBe(1);
    expect(calls(endpoints.listFaces.path, '416')).toBe(1);
    expect(value('wajah_engine_workers')).toBe(1);
    expect(value('wajah_engine_workers_alive')).toBe(1);
    expect(value('wajah_engine_worker_restarts_total')).toBe(0);
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(1 << 20);
  });

  it('measures the store, the galleries, the queue and failed liveness', () => {
    expect(value('wajah_people')).toBe(1);
    expect(value('wajah_galleries')).toBe(1);
    expect(value('wajah_galleries_incomparable')).toBe(0);
    expect(value('wajah_store_up')).toBe(1);
    expect(value('wajah_store_bytes')).toBeGreaterThan(0);
    expect(value('wajah_store_operation_duration_seconds_count\\{part="faces"\\}')).toBeGreaterThan(0);
    const waits = (priority: string) => value(`wajah_queue_wait_seconds_count\\{priority="${priority}"\\}`);
    expect([waits('enrolment'), waits('recognition')]).toEqual([1, 2]);
    expect(value('wajah_queue_clients_waiting')).toBe(0);
    expect(value('wajah_queue_client_waiting\\{rank="1"\\}')).toBe(0);
    expect(value('wajah_liveness_failures_total\\{way="single",reason="angle"\\}')).toBe(1);
    expect(value('wajah_liveness_failures_total\\{way="single",reason="user"\\}')).toBe(1);
  });

  it('measures the memory and the event loop of the server', () => {
    expect(value('wajah_resident_memory_bytes\\{process="server"\\}')).toBeGreaterThan(1 << 20);
    const proportional = value('wajah_proportional_memory_bytes\\{process="server"\\}');
    if (process.platform === 'linux') expect(proportional).toBeGreaterThan(1 << 20);
    else expect(proportional).toBeNaN();
    expect(value('wajah_engine_worker_memory_limit_bytes')).toBe(1536 * 2 ** 20);
    expect(value('wajah_event_loop_active_seconds_total')).toBeGreaterThan(0);
  });

  it('names no client, no person and no gallery, in at most 1,500 samples', () => {
    expect(text).not.toMatch(/client-1|ani|trial/i);
    expect(text).not.toContain(client.id);
    expect(text.match(/^wajah_/gm)?.length).toBeLessThan(1500);
  });

  it('has a type and a description of each metric, and those that the page names', async () => {
    const metrics = server.context.events.registry.getMetricsAsArray() as unknown as Metric[];
    const own = metrics.filter(({ name }) => name.startsWith('wajah_'));
    for (const { name, help } of own) {
      expect(text).toMatch(new RegExp(`^# TYPE ${name} \\w+$`, 'm'));
      expect(text).toContain(`# HELP ${name} ${help}\n`);
      expect(help).not.toBe('');
    }
    const named = read('docs/monitoring.md').match(/`wajah_\w+`/g) ?? [];
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((one) => !own.some(({ name }) => one === `\`${name}\``))).toEqual([]);
  });
});

describe.each([
  ['the dashboard', 'deploy/grafana/wajah.json'],
  ['the alert rules', 'deploy/prometheus/wajah-alerts.yml'],
])('%s', (_, path) => {
  it('uses only metrics and labels that a running server has', () => {
    const known = samples();
    const queries = expressionsOf(path);
    expect(queries.length).toBeGreaterThan(10);
    const wrong = queries.flatMap((query) =>
      [...query.matchAll(/\b((?:wajah|nodejs|process)_[a-z_\d]+)(?:\{([^}]*)\})?/g)].flatMap(
        ([, name, labels]) => {
          const has = known.get(name!);
          if (!has) return [`${name} of ${query}`];
          const named = [...(labels ?? '').matchAll(/([a-z_]+)(?:=~|!=|=)/g)].map(([, label]) => label!);
          return named
            .filter((it) => !['job', 'instance'].includes(it) && !has.includes(it))
            .map((it) => `${it} of ${name}`);
        },
      ),
    );
    expect(wrong).toEqual([]);
  });
});

function expressionsOf(path: string): string[] {
  if (path.endsWith('.json')) {
    const { panels } = JSON.parse(read(path)) as { panels: { targets?: { expr: string }[] }[] };
    return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  }
  return [...read(path).matchAll(/expr: (?:>\n)?((?:.+\n)(?: {10}.+\n)*)/g)].map(([, expr]) => expr!);
}

it('the dashboard has panels that do not overlap, each with its own number', () => {
  const { panels } = JSON.parse(read('deploy/grafana/wajah.json')) as {
    panels: { id: number; gridPos: { x: number; y: number; w: number; h: number } }[];
  };
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(cells.filter((cell) => Number(cell.split(',')[0]) >= 24)).toEqual([]);
});

it('every alert is explained', () => {
  const names = [...read('deploy/prometheus/wajah-alerts.yml').matchAll(/- alert: (\w+)/g)].map(
    ([, name]) => name,
  );
  const page = read('docs/monitoring.md');
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

describe.skipIf(noPromtool)('promtool', () => {
  it('accepts the metrics', () => {
    const own = text.match(/^(# (HELP|TYPE) )?wajah_.*$/gm)?.join('\n');
    const [program, args, options] = promtool('check', 'metrics');
    expect(spawnSync(program, args, { ...options, input: `${own}\n`, encoding: 'utf8' })).toMatchObject({
      stdout: '',
      stderr: '',
      status: 0,
    });
  });

  it('accepts the alert rules, and their unit tests pass', () => {
    expect(execFileSync(...promtool('check', 'rules', 'wajah-alerts.yml')).toString()).toContain('SUCCESS');
    expect(execFileSync(...promtool('test', 'rules', 'wajah-alerts.test.yml')).toString()).toContain(
      'SUCCESS',
    );
  });
});
