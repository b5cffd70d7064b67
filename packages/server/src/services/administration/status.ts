import { SPOOF_THRESHOLD } from '@wajah/engine';
import { textOf } from '../../config/finding.ts';
import { padInstallCommands } from '../../config/findings.ts';
import { settingsInForce } from '../../config/settings-in-force.ts';
import type { RequireOperator } from '../accounts/ports.ts';
import type { ServiceParts } from '../parts.ts';
import type { FindingService, StatusService, StatusSources } from './ports.ts';

interface Dependencies extends ServiceParts<'store' | 'engine' | 'scheduler' | 'matcher' | 'config'> {
  readonly requireOperator: RequireOperator;
  readonly findings: Pick<FindingService, 'all'>;
}

/** The status of the server, for operators. */
export function createStatusService(deps: Dependencies, sources: StatusSources): StatusService {
  const { store, engine, scheduler, matcher, config, requireOperator } = deps;
  return {
    async read(caller) {
      await requireOperator(caller);
      const { rss, heapUsed } = process.memoryUsage();
      const { bytes, galleries } = matcher.memoryUse();
      const { version, startedAt } = sources;
      const { running, queued } = scheduler.load();
      const findings = await deps.findings.all();
      const noticeOf = (name: string) => findings.filter(({ id }) => id === name).map(textOf)[0] ?? null;
      return {
        version,
        startedAt,
        uptimeSeconds: Math.floor((Date.now() - startedAt.getTime()) / 1000),
        node: process.versions.node,
        engine: { ...engine.load(), running, queued, queue: config.engine.queue, busy: sources.busy() },
        packs: await sources.packs(),
        embedder: engine.embeddingSpec.embedder,
        findings,
        pad: {
          pack: engine.padPack ?? 'none',
          notice: noticeOf('pad_pack'),
          install: [...padInstallCommands],
        },
        calibration: { provisional: engine.provisional, notice: noticeOf('provisional_calibration') },
        memory: {
          rss,
          heapUsed,
          galleries,
          matchBudget: config.matching.memoryBytes,
          matchUsed: bytes,
        },
        store: await store.info(),
        settings: reportedSettings(deps),
        configuration: settingsInForce(config),
        clients: (await store.clients.list()).length,
      };
    },
  };
}

/** The settings that change answers; no secrets. */
function reportedSettings({
  engine,
  config,
}: Dependencies): Readonly<Record<string, string | number | boolean | null>> {
  const { thresholds, limits, sessions } = config;
  return {
    keep_face_crops: config.keepFaceCrops,
    threshold: thresholds.verify ?? engine.threshold,
    identify_fpir: thresholds.identifyFpir,
    spoof_threshold: thresholds.spoof ?? SPOOF_THRESHOLD,
    min_face_enrol: limits.minFaceEnrol,
    min_face: limits.minFace,
    max_image_bytes: limits.imageBytes,
    calls_per_minute: limits.callsPerMinute,
    session_seconds: sessions.seconds,
    event_days: config.eventDays,
    audit_days: config.auditDays,
    compat: config.compat.join(',') || 'off',
  };
}
