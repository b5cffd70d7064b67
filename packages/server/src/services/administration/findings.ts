import { ofFileSystem } from '../../config/file-system.ts';
import { bad, type Fault } from '../../config/finding.ts';
import { clockAhead, damagedRows, padPackMissing, provisionalCalibration } from '../../config/findings.ts';
import type { ClockJump } from '../../lib/clock-jump.ts';
import { findUnusedCalibrations } from '../galleries/calibration.ts';
import { findOtherPacks } from '../galleries/embedding-spec.ts';
import type { ServiceParts } from '../parts.ts';
import type { FindingService } from './ports.ts';

interface Dependencies extends ServiceParts<'store' | 'engine' | 'config'> {
  readonly events: {
    damagedTemplates(): number;
    damagedRows(): readonly string[];
  };
  readonly clock: Pick<ClockJump, 'heldSince'>;
}

/** What is wrong with this installation, wherever it is shown. */
export function createFindings(parts: Dependencies): FindingService {
  const { store, engine, config, events, clock } = parts;
  const forAnybody = async () => {
    const heldSince = await clock.heldSince();
    const [templates, rows] = [events.damagedTemplates(), events.damagedRows()];
    return [
      ...(engine.padPack === null ? [padPackMissing(config)] : []),
      ...(engine.provisional ? [provisionalCalibration(engine.embeddingSpec.pack)] : []),
      ...(await findOtherPacks(store, engine)),
      ...(templates > 0 ? [damagedTemplates(templates)] : []),
      ...(rows.length > 0 ? [damagedRows(rows)] : []),
      ...(heldSince ? [clockAhead(heldSince)] : []),
    ];
  };
  return {
    forAnybody,
    all: async () => [
      ...(config.database ? [] : ofFileSystem(config.dataDir)),
      ...(await forAnybody()),
      ...(await findUnusedCalibrations(store, engine)),
    ],
  };
}

const damagedTemplates = (count: number): Fault =>
  bad(
    'templates',
    `${count} stored templates did not open since the start of this server and are left out of searches`,
    'list those that are still there with `wajah gallery check`, and enrol their people again with replace, or erase them with --erase; a check that finds none ends this notice',
  );
