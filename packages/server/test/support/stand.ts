import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { sharedEngine } from '../../../engine/test/support/shared-engine.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createEvents } from '../../src/events.ts';
import { createExactMatcher } from '../../src/matching/exact-matcher.ts';
import { createFrameIndex } from '../../src/matching/frames/frame-index.ts';
import { openSigningKeys } from '../../src/security/keys/signing-keys.ts';
import { createLivenessTokens } from '../../src/security/tokens/liveness-tokens.ts';
import {
  createFrameVault,
  createRecordingVault,
  createSessionVault,
} from '../../src/security/vaults/row-vaults.ts';
import { createTemplateVault } from '../../src/security/vaults/template-vault.ts';
import { createClientService, createQuotaService } from '../../src/services/accounts/clients.ts';
import type { Caller } from '../../src/services/caller.ts';
import type { ServiceDependencies } from '../../src/services/dependencies.ts';
import { createEnrolmentService } from '../../src/services/faces/enrolment.ts';
import { createFaceEraser } from '../../src/services/faces/face-eraser.ts';
import { createFaceWriter } from '../../src/services/faces/face-writer.ts';
import { createPictureIds } from '../../src/services/faces/picture-ids.ts';
import { type Cohorts, createCohorts } from '../../src/services/galleries/cohorts.ts';
import { createGalleryService } from '../../src/services/galleries/galleries.ts';
import { createLivenessService } from '../../src/services/liveness/liveness.ts';
import { createRecognitionService } from '../../src/services/recognition/recognition.ts';
import { createSessionRecorder } from '../../src/services/recordings/recorder.ts';
import { createScheduler } from '../../src/services/scheduling/scheduler.ts';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import { chain } from './audit.ts';
import { patient } from './patient.ts';
import { enrolDefaults } from './requests.ts';
import { atEnd, temporaryDirectory } from './temporary.ts';

/** The services on a real store, engine and matcher, without HTTP. */
export interface Stand {
  readonly deps: ServiceDependencies & { readonly cohorts: Cohorts };
  readonly services: ReturnType<typeof createServices>;
  caller(clientId: string, signal?: AbortSignal): Caller;
  /** A client with its first gallery. */
  registered(clientId: string): Promise<Caller>;
  /** Enrols a user in the first gallery of the caller. */
  enrol(by: Caller, userId: string, userName: string, image: string): Promise<void>;
  /** Names of the events so far. */
  eventNames(): string[];
}

/**
 * @param env settings that differ from the defaults
 * @param others parts that replace those of the stand
 */
export async function openStand(
  env: Record<string, string> = {},
  others: Partial<Pick<ServiceDependencies, 'engine'>> = {},
): Promise<Stand> {
  const folder = temporaryDirectory();
  const config = loadConfig({ WAJAH_DATA_DIR: folder, ...patient, ...env });
  const store = openSqliteStore(join(folder, 'wajah.db'));
  const masterKey = randomBytes(32);
  const vault = createTemplateVault(masterKey);
  const sessionVault = createSessionVault(masterKey);
  const frameVault = createFrameVault(masterKey);
  const livenessTokens = createLivenessTokens(await openSigningKeys(folder));
  const engine = others.engine ?? (await sharedEngine());
  const lines: { event?: string }[] = [];
  const write = (fields: object) => void lines.push(fields);
  const events = createEvents({ log: { info: write, warn: write }, store, chain });
  const matcher = createExactMatcher({ faces: store.faces, vault });
  const frameIndex = createFrameIndex({ options: store.readerOptions, keys: frameVault.keys, hours: 24 });
  const cohorts = createCohorts({ store, vault, engine, log: { warn: write } });
  const parts = {
    store,
    engine,
    scheduler: createScheduler(engine, config.engine),
    matcher,
    cohorts,
    vault,
    events,
    config,
    sessionVault,
    frameVault,
    frameIndex,
    livenessTokens,
    recordings: createSessionRecorder({
      store: store.recordings,
      vault: createRecordingVault(masterKey),
      subjects: sessionVault,
      config,
      log: { warn: write },
    }),
  };
  const eraser = createFaceEraser(parts);
  const pictureIds = createPictureIds(store);
  const writer = createFaceWriter({ ...parts, eraser, pictureIds, comparer: async () => engine });
  const deps = { ...parts, eraser, pictureIds, writer };
  const services = createServices(deps);
  const caller: Stand['caller'] = (clientId, signal = new AbortController().signal) => {
    return { clientId, trxId: 'test', signal };
  };
  atEnd(async () => {
    await events.settled();
    await cohorts.close();
    await frameIndex.close();
    await store.close();
  });
  return {
    deps,
    services,
    caller,
    async registered(clientId) {
      await services.clients.register(caller(clientId));
      return caller(clientId);
    },
    async enrol(by, userId, userName, image) {
      const user = { facegalleryId: `${by.clientId}@trial`, userId, userName };
      await services.enrolment.enrol(by, { ...user, image, ...enrolDefaults });
    },
    eventNames: () => lines.flatMap(({ event }) => event ?? []),
  };
}

function createServices(deps: ServiceDependencies) {
  return {
    clients: createClientService(deps),
    galleries: createGalleryService(deps),
    enrolment: createEnrolmentService(deps),
    recognition: createRecognitionService(deps),
    liveness: createLivenessService(deps),
    quotas: createQuotaService(deps),
  };
}
