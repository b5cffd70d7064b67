import { Refusal } from '../../errors.ts';
import { registeredClient } from '../accounts/clients.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import type { Caller } from '../services.ts';

/** A model pack that is here. */
export interface PackStatus {
  readonly id: string;
  readonly version: string;
  readonly roles: readonly string[];
  readonly inUse: boolean;
  readonly licence: string;
}

/** What the status is read from. */
export interface StatusSources {
  readonly version: string;
  readonly startedAt: Date;
  packs(): Promise<readonly PackStatus[]>;
  /** Calls refused as busy since the start. */
  busy(): number;
}

export interface ServerStatus {
  readonly version: string;
  readonly startedAt: Date;
  readonly uptimeSeconds: number;
  readonly node: string;
  readonly engine: { workers: number; running: number; queued: number; queue: number; busy: number };
  readonly packs: readonly PackStatus[];
  /** Bytes, and how many galleries are held in memory. */
  readonly memory: {
    rss: number;
    heapUsed: number;
    matchBudget: number;
    matchUsed: number;
    galleries: number;
  };
  readonly store: { kind: 'sqlite' | 'postgres'; bytes: number | null; migration: number };
  readonly settings: Readonly<Record<string, string | number | boolean | null>>;
  readonly clients: number;
}

/** How the server is. */
export interface StatusService {
  /** @throws Refusal `denied` to whom is no operator */
  read(caller: Caller): Promise<ServerStatus>;
  /** @throws Refusal `denied` */
  requireOperator(caller: Caller): Promise<void>;
}

type Needs = Pick<ServiceDependencies, 'store' | 'engine' | 'matcher' | 'config'>;

export function createStatusService(deps: Needs, sources: StatusSources): StatusService {
  const { store, engine, matcher, config } = deps;
  const requireOperator = async (caller: Caller) => {
    const { operator } = await registeredClient(store, caller);
    if (operator) return;
    throw new Refusal(
      'denied',
      'the client is no operator, and this is for operators; `wajah client set-operator` makes it one',
    );
  };
  return {
    requireOperator,

    async read(caller) {
      await requireOperator(caller);
      const { rss, heapUsed } = process.memoryUsage();
      const { bytes, galleries } = matcher.memoryUse();
      const { version, startedAt } = sources;
      return {
        version,
        startedAt,
        uptimeSeconds: Math.floor((Date.now() - startedAt.getTime()) / 1000),
        node: process.versions.node,
        engine: { ...engine.load(), queue: config.engine.queue, busy: sources.busy() },
        packs: await sources.packs(),
        memory: {
          ...{ rss, heapUsed, galleries },
          matchBudget: config.matching.memoryBytes,
          matchUsed: bytes,
        },
        store: await store.info(),
        settings: settingsOfNote(deps),
        clients: (await store.clients.list()).length,
      };
    },
  };
}

/** Those that change what is answered; nothing secret. */
function settingsOfNote({ engine, config }: Needs): ServerStatus['settings'] {
  const { thresholds, limits, sessions } = config;
  return {
    keep_face_crops: config.keepFaceCrops,
    threshold: thresholds.verify ?? engine.threshold,
    identify_fpir: thresholds.identifyFpir,
    spoof_threshold: thresholds.spoof ?? engine.spoofThreshold,
    card_similarity: thresholds.card,
    front_angle: thresholds.frontAngle,
    min_face_enrol: limits.minFaceEnrol,
    min_face: limits.minFace,
    max_image_bytes: limits.imageBytes,
    max_image_pixels: limits.imagePixels,
    calls_per_minute: limits.callsPerMinute,
    session_seconds: sessions.seconds,
    event_days: config.eventDays,
    audit_days: config.auditDays,
    compat: config.compat,
  };
}
