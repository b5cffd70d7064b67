import type { Config } from '../config/config.ts';
import { packChoice } from '../config/pack-choice.ts';
import { bytesOfFace } from '../sizing/measured.ts';
import type { StoreContents } from '../store/contents.ts';
import { newerSchemaText } from '../store/database/upgrade.ts';
import { bad, checkCrops, type DoctorFinding, doubtful, good } from './findings.ts';

interface SchemaFacts {
  readonly schema: number;
  readonly newestSchema: number;
  readonly migratedBy: string | null;
}

/** Whether this program supports the schema of the store. */
export function checkSchema({ schema, newestSchema, migratedBy }: SchemaFacts): DoctorFinding {
  const what = 'database schema';
  if (schema > newestSchema) return bad(what, newerSchemaText(schema, newestSchema, migratedBy));
  if (schema === newestSchema) return good(what, `${schema}, the newest`);
  const found = schema === 0 ? 'none yet' : `${schema}`;
  return good(
    what,
    `${found}; the next start upgrades it to ${newestSchema} (\`wajah migrate --dry-run\` says how long)`,
  );
}

/** What the store contains: its key apart, which each kind of store has elsewhere. */
export async function checkContents(contents: StoreContents, config: Config): Promise<DoctorFinding[]> {
  const { copying, newestRecordAt, crops } = contents;
  return [
    ...(copying === null
      ? []
      : [
          bad(
            'copy',
            `the store has an incomplete copy of ${copying}, and no server starts on it; finish it with \`wajah migrate-store\`, or empty the store`,
          ),
        ]),
    ...checkClock(newestRecordAt),
    ...checkMemory(contents, config),
    ...(await checkPacks(contents, config)),
    checkCrops(config.keepFaceCrops, crops),
  ];
}

const clockToleranceMs = 60_000;

/** A record of the future: the clock was put back, or was wrong when it was written. */
function checkClock(newestRecordAt: number | null): DoctorFinding[] {
  if (newestRecordAt === null || newestRecordAt <= Date.now() + clockToleranceMs) return [];
  const record = new Date(newestRecordAt).toISOString();
  return [
    bad(
      'clock',
      `this machine says ${new Date().toISOString()}, the newest audit record is of ${record}: tokens and sessions expire at the wrong time; set the clock (timedatectl set-ntp true)`,
    ),
  ];
}

function checkMemory({ specs }: StoreContents, { matching }: Config): DoctorFinding[] {
  const what = 'memory of galleries';
  const mib = (bytes: number) => Math.ceil(bytes / 2 ** 20);
  const largest = Math.max(
    0,
    ...specs.map((use) => use.largest * bytesOfFace(dimensionsOf(use.embeddingSpec))),
  );
  const all = specs.reduce((sum, use) => sum + use.faces * bytesOfFace(dimensionsOf(use.embeddingSpec)), 0);
  if (all === 0) return [];
  const budget = mib(matching.memoryBytes);
  if (largest > matching.memoryBytes) {
    return [
      doubtful(
        what,
        `the largest gallery needs ${mib(largest)} MiB, WAJAH_MATCH_MEMORY_MB is ${budget}: it is read from the store at each search, which is slow; raise it, on a machine that has the memory`,
      ),
    ];
  }
  if (all > matching.memoryBytes) {
    return [
      doubtful(
        what,
        `all galleries need ${mib(all)} MiB, WAJAH_MATCH_MEMORY_MB is ${budget}: they are loaded in turns; raise it if they are in use together`,
      ),
    ];
  }
  return [good(what, `${mib(all)} MiB of ${budget}`)];
}

function dimensionsOf(embeddingSpec: string): number {
  const { dimensions } = JSON.parse(embeddingSpec) as { dimensions?: unknown };
  return typeof dimensions === 'number' ? dimensions : 0;
}

/** Galleries and a calibration of another pack than the one that the next start runs. */
async function checkPacks(
  { specs, calibration }: StoreContents,
  { packs }: Config,
): Promise<DoctorFinding[]> {
  const { id } = await packChoice(packs);
  const others = specs.filter((use) => packOf(use.embeddingSpec) !== id);
  const galleries = others.map((use) =>
    bad(
      'galleries',
      `${use.galleries} with ${use.faces} faces were enrolled with the model pack ${packOf(use.embeddingSpec)}, the next start runs ${id}: calls on them are refused; choose that pack (\`wajah models use\`, WAJAH_PACK), or migrate them with \`wajah reembed --to ${id}\``,
    ),
  );
  const fitted = calibration === null ? null : packOf(calibration);
  if (fitted === null || fitted === id) return galleries;
  return [
    ...galleries,
    bad(
      'calibration',
      `the calibration of the server was fitted to the model pack ${fitted}, the next start runs ${id} and does not use it; fit it again with \`wajah calibrate --gallery --install server\``,
    ),
  ];
}

/** Name of the pack of an embedding spec, or of a calibration, which contains one. */
function packOf(text: string): string {
  const found = JSON.parse(text) as { pack?: unknown; contract?: { pack?: unknown } };
  return String(found.pack ?? found.contract?.pack ?? 'unknown');
}
