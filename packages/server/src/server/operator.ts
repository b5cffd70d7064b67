import { mkdtempSync, rmSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { buildOperatorApp, type OperatorServices } from '../http/operator-app.ts';
import { createClientAdministration } from '../services/accounts/client-administration.ts';
import { createActivityService } from '../services/activity/activity.ts';
import { createAuditService } from '../services/activity/status.ts';
import { createPeopleService } from '../services/people/people-service.ts';
import { createClientWebhooks } from '../services/webhooks/client-webhooks.ts';
import { DisposableStack } from './disposable-stack.ts';

/** Services that compare templates. */
type Comparing = Pick<OperatorServices, 'galleries' | 'duplicates' | 'calibrationNote'>;
/** Services that analyse pictures. */
type Analysing = Pick<
  OperatorServices,
  | 'faces'
  | 'facePictures'
  | 'enrolment'
  | 'recognition'
  | 'detection'
  | 'liveness'
  | 'livenessSessions'
  | 'status'
>;

/** Opens the services that need the models: to compare templates, or to analyse pictures. */
export interface ModelServices {
  comparing(): Promise<Comparing>;
  analysing(): Promise<Analysing>;
}

/** What needs no model. */
type OperatorParts = Omit<
  OperatorServices,
  keyof Comparing | keyof Analysing | 'activity' | 'audit' | 'administration' | 'clientWebhooks' | 'people'
> &
  Parameters<typeof createAuditService>[0] &
  Parameters<typeof createActivityService>[0] &
  Parameters<typeof createClientAdministration>[0] &
  Parameters<typeof createClientWebhooks>[0] &
  Parameters<typeof createPeopleService>[0];

/** What endpoints take for the operator: models are opened by the calls that need them. */
export function operatorServices(parts: OperatorParts, open: ModelServices): OperatorServices {
  const comparing = <Name extends keyof Comparing>(name: Name) =>
    deferred(async () => (await open.comparing())[name]);
  const analysing = <Name extends keyof Analysing>(name: Name) =>
    deferred(async () => (await open.analysing())[name]);
  return {
    ...parts,
    activity: createActivityService(parts),
    audit: createAuditService(parts),
    administration: createClientAdministration(parts, parts.requireOperator),
    clientWebhooks: createClientWebhooks(parts),
    people: createPeopleService(parts),
    galleries: comparing('galleries'),
    duplicates: comparing('duplicates'),
    calibrationNote: async (...of) => (await open.comparing()).calibrationNote(...of),
    faces: analysing('faces'),
    facePictures: analysing('facePictures'),
    enrolment: analysing('enrolment'),
    recognition: analysing('recognition'),
    detection: analysing('detection'),
    liveness: analysing('liveness'),
    livenessSessions: analysing('livenessSessions'),
    status: analysing('status'),
  };
}

type Calls = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/** An object of asynchronous functions that is opened by the first call of one. */
function deferred<T extends object>(open: () => Promise<T>): T {
  const call =
    (name: string) =>
    async (...args: never[]) =>
      ((await open()) as Calls)[name]!(...args);
  return new Proxy({} as T, { get: (_, name) => call(String(name)) });
}

/** Longest path of a Unix socket in bytes, without the final zero: 107 on Linux, 103 on macOS. */
const maxPathBytes = 103;

/**
 * The path of the operator's socket: in the data directory, or, where that path is too long for a socket, in a new
 * temporary directory that only this user can enter.
 * @returns `release` removes the temporary directory
 */
function placeSocket(dataDir: string): { readonly path: string; release(): void } {
  const inside = join(dataDir, 'operator.sock');
  if (Buffer.byteLength(inside) <= maxPathBytes) return { path: inside, release: () => {} };
  const path = join(mkdtempSync(join(tmpdir(), 'wajah-')), 'operator.sock');
  return { path, release: () => rmSync(dirname(path), { recursive: true, force: true }) };
}

/**
 * Listens on a Unix socket that only the user who runs the server can open.
 */
export async function listenToOperator(
  services: OperatorServices,
  { config, logger }: { config: Config; logger: Logger },
): Promise<{ readonly path: string; close(): Promise<void> }> {
  const stack = new DisposableStack();
  const { path } = stack.adopt(placeSocket(config.dataDir), (it) => it.release());
  const app = stack.adopt(await buildOperatorApp(services, { config, logger }), (it) => it.close());
  await rm(path, { force: true });
  const mask = process.umask(0o177);
  try {
    await app.listen({ path });
  } finally {
    process.umask(mask);
  }
  await chmod(path, 0o600);
  return { path, close: () => stack.disposeAsync() };
}
