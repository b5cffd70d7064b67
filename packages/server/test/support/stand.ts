import { PassThrough } from 'node:stream';
import type { RequestOf } from '@wajah/contract';
import type { Engine } from '@wajah/engine';
import { sharedEngine } from '../../../engine/test/support/shared-engine.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createServices, openCore } from '../../src/server/context.ts';
import { createLogger } from '../../src/server/logger.ts';
import { createQuotaService } from '../../src/services/accounts/quotas.ts';
import type { Caller } from '../../src/services/caller.ts';
import { createScheduler } from '../../src/services/scheduling/scheduler.ts';
import { patient } from './patient.ts';
import { enrolDefaults } from './requests.ts';
import { atEnd, temporaryDirectory } from './temporary.ts';

/** The services on a real store, engine and matcher, without HTTP. */
export type Stand = Awaited<ReturnType<typeof openStand>>;

/**
 * @param env settings that differ from the defaults
 * @param others parts that replace those of the stand
 */
export async function openStand(env: Record<string, string> = {}, others: { readonly engine?: Engine } = {}) {
  const folder = temporaryDirectory();
  const config = loadConfig({ WAJAH_DATA_DIR: folder, ...patient, ...env });
  const engine = others.engine ?? (await sharedEngine());
  const logged = new PassThrough();
  let log = '';
  logged.on('data', (chunk) => {
    log += chunk;
  });
  const core = await openCore(config, createLogger('info', logged), { comparer: async () => engine });
  const deps = { ...core, engine, scheduler: createScheduler(engine, config.engine), config };
  const services = { ...createServices(deps), clients: core.clients, quotas: createQuotaService(deps) };
  const caller = (clientId: string, signal = new AbortController().signal): Caller => {
    return { clientId, trxId: 'test', signal };
  };
  atEnd(() => core.close());
  return {
    deps,
    services,
    caller,
    /** A client with its first gallery. */
    async registered(clientId: string): Promise<Caller> {
      await services.clients.register(caller(clientId));
      return caller(clientId);
    },
    /** Enrols a user, in the first gallery of the caller unless the input names another. */
    enrol(
      by: Caller,
      userId: string,
      userName: string,
      image: string,
      input: Partial<RequestOf<'enrolFace'>> = {},
    ) {
      const user = { facegalleryId: `${by.clientId}@trial`, userId, userName };
      return services.enrolment.enrol(by, { ...user, image, ...enrolDefaults, ...input });
    },
    /** Names of the events so far. */
    eventNames: () => [...log.matchAll(/"event":"(\w+)"/g)].map(([, name]) => name),
  };
}
