import { setTimeout as pause } from 'node:timers/promises';
import { type Endpoint, endpoints } from '../../../../packages/contract/dist/index.js';
import { quantile } from '../speed/quantile.ts';
import { type BenchServer, startBenchServer } from './server.ts';

/** Share of the time that each caller waits for an answer. */
const busy = 0.7;
const callers = 2;
/** Users that are enrolled again and again; every other one is removed in between. */
const users = 200;
const windowMinutes = 5;

/** What happened in a window of time. */
interface Window {
  calls: number;
  readonly failed: Map<string, number>;
  readonly server: number[];
  readonly workers: number[];
}

const newWindow = (): Window => ({ calls: 0, failed: new Map(), server: [], workers: [] });

/**
 * Prints resident memory of a server and its workers at 70 % of what it can serve: callers that pause after each answer.
 * Enrolment, verification, identification, detection, lists and deletions, and now and then a whole gallery.
 * @param picture a JPEG with a face
 */
export async function soak(picture: Uint8Array, minutes: number): Promise<void> {
  const server = await startBenchServer({}, { clients: callers });
  const image = Buffer.from(picture).toString('base64');
  console.log(
    '| minutes | calls | refused or failed | server, MB | workers, MB |\n| --- | --- | --- | --- | --- |',
  );
  const windows: Window[] = [];
  const began = performance.now();
  const minute = () => (performance.now() - began) / 60_000;
  const current = (): Window => {
    const index = Math.floor(minute() / windowMinutes);
    while (windows.length <= index) {
      const last = windows.at(-1);
      if (last) print(windows.length - 1, last);
      windows.push(newWindow());
    }
    return windows[index]!;
  };
  const watch = async () => {
    while (minute() < minutes) {
      const { server: ofServer, workers } = (await server.usage()).memory;
      current().server.push(ofServer);
      current().workers.push(workers);
      await pause(5000);
    }
  };
  const lanes = server.tokens.map((_, client) =>
    callUntil(server, client, image, () => minute() < minutes, current),
  );
  await Promise.all([watch(), ...lanes]);
  const complete = windows.slice(0, Math.floor(minutes / windowMinutes));
  if (windows.length === complete.length) print(complete.length - 1, complete.at(-1)!);
  const growth = (of: 'server' | 'workers') =>
    `${(100 * (quantile(complete.at(-1)![of], 0.5) / quantile(complete[1]![of], 0.5) - 1)).toFixed(1)} %`;
  console.log(`\nLast ÷ second window: server ${growth('server')}, workers ${growth('workers')}`);
  await server.stop();
}

/** Medians of the window. */
function print(index: number, { calls, failed, server, workers }: Window): void {
  const megabytes = (values: readonly number[]) => Math.round(quantile(values, 0.5) / 1e6);
  const failures = [...failed].map(([status, count]) => `${count} × ${status}`).join(', ') || 'none';
  const from = index * windowMinutes;
  console.log(
    `| ${from}–${from + windowMinutes} | ${calls} | ${failures} | ${megabytes(server)} | ${megabytes(workers)} |`,
  );
}

async function callUntil(
  { url, tokens }: BenchServer,
  client: number,
  image: string,
  goesOn: () => boolean,
  current: () => Window,
): Promise<void> {
  const call = async ({ path, methods }: Endpoint, fields: object): Promise<void> => {
    const started = performance.now();
    const headers = { accesstoken: tokens[client]!, 'content-type': 'application/json' };
    const method = methods.at(-1)!;
    const body = method === 'GET' ? null : JSON.stringify(fields);
    const answer = await fetch(url + path, { method, headers, body });
    const { status } = (await answer.json()) as { status: string };
    const window = current();
    window.calls += 1;
    if (status !== '200') window.failed.set(status, (window.failed.get(status) ?? 0) + 1);
    await pause((performance.now() - started) * (1 / busy - 1));
  };
  const gallery = { facegallery_id: `client-${client}@trial` };
  for (let i = 0; goesOn(); i++) {
    const person = { ...gallery, user_id: `user-${i % users}` };
    await call(endpoints.enrolFace, {
      ...person,
      user_name: `User ${i}`,
      image,
      force_register: true,
      replace: true,
    });
    await call(endpoints.verifyFace, { ...person, image });
    await call(endpoints.identifyFace, { ...gallery, image });
    await call(endpoints.detectFaces, { image });
    await call(endpoints.listFaces, gallery);
    await call(endpoints.getCounters, {});
    if (i % 2 === 1) await call(endpoints.deleteFace, person);
    if (i % 20 !== 19) continue;
    const other = { facegallery_id: `other-${client}-${i}` };
    await call(endpoints.createGallery, other);
    await call(endpoints.enrolFace, { ...other, user_id: 'one', user_name: 'One', image });
    await call(endpoints.deleteGallery, other);
  }
}
