import type { Config } from '../../config/config.ts';
import { bad, doubtful, type Finding, failed, good, refused } from '../../config/finding.ts';
import { clockAhead, damagedRows } from '../../config/findings.ts';
import { jumpMs } from '../../lib/clock-jump.ts';
import {
  findMasterKeys,
  keyDigest,
  keyName,
  requireSharedKey,
  wrongKeyText,
} from '../../security/keys/master-key.ts';
import { partlyMigrated } from '../../services/galleries/embedding-spec.ts';
import type { StoreContents, StoreFacts } from '../../store/contents.ts';
import { newestSchema } from '../../store/database/schema.ts';
import { unknownSchemaText } from '../../store/database/upgrade.ts';

/** Schema, key, clock and face crops of a store. */
export function checkStore(facts: StoreFacts, config: Config): Finding[] {
  const { contents, foreign } = facts;
  if (foreign !== null) return [refused('database_schema', foreign)];
  // Nothing else is known of the tables of another schema.
  if (contents === null && facts.schema > 0) return [checkSchema(facts)];
  return [
    checkSchema(facts),
    checkKey(config, contents),
    ...(contents
      ? [
          ...checkClock(contents),
          contents.damagedRows.length === 0
            ? good('database_rows', 'all can be read')
            : damagedRows(contents.damagedRows),
          ...contents.partial.map(partlyMigrated),
          checkCrops(config.keepFaceCrops, contents),
          ...contents.ofFeatures.map(({ id, sentence }) => good(id, sentence)),
        ]
      : []),
  ];
}

/** Whether this program supports the schema. */
function checkSchema({ schema, migratedBy }: StoreFacts): Finding {
  const what = 'database_schema';
  const unknown = unknownSchemaText(schema, migratedBy);
  if (unknown !== null) return refused(what, unknown);
  if (schema === newestSchema) return good(what, `${schema}, the newest`);
  const found = schema === 0 ? 'none yet' : `${schema}`;
  return good(
    what,
    `${found}; the next start upgrades it to ${newestSchema} (\`wajah migrate --dry-run\` says how long)`,
  );
}

/** Whether the master key is there and opens the data. */
export function checkKey(config: Config, contents: StoreContents | null): Finding {
  const what = 'key';
  const check = contents?.keyCheck ?? null;
  let keys: ReturnType<typeof findMasterKeys>;
  try {
    keys = config.database ? [requireSharedKey(config)] : findMasterKeys(config);
  } catch (error) {
    return failed(what, error);
  }
  if (keys === null)
    return check === null
      ? good(what, 'none yet')
      : bad(
          what,
          'missing, but the data are sealed under one',
          'restore secret.key, or set WAJAH_SECRET_KEY',
        );
  if (check === null)
    return good(what, 'nothing is sealed under it yet; keep a copy of it apart from the data');
  if (!keys.map(keyDigest).includes(check))
    return refused(what, wrongKeyText(keys, contents?.formerKeyCheck ?? null, keyName(config)));
  if (keys.length === 1) return good(what, 'that which the data are sealed under');
  return doubtful(
    what,
    'secret.key holds two keys: `wajah keys rotate-master` runs, or was interrupted',
    'run it again or start the server, which completes it',
  );
}

const clockToleranceMs = 60_000;

/** A jump ahead; or a record of the future: the clock was put back, or was wrong when it was written. */
function checkClock({ newestRecordAt, sweptAt }: StoreContents): Finding[] {
  if (sweptAt !== null && Date.now() - sweptAt > jumpMs) return [clockAhead(new Date(sweptAt))];
  if (newestRecordAt === null || newestRecordAt <= Date.now() + clockToleranceMs) return [];
  const record = new Date(newestRecordAt).toISOString();
  return [
    bad(
      'clock',
      `this machine says ${new Date().toISOString()}, the newest audit record is of ${record}: tokens and sessions expire at the wrong time`,
      'set the clock (timedatectl set-ntp true)',
    ),
  ];
}

/** Whether face crops are stored. */
function checkCrops(kept: Config['keepFaceCrops'], { crops }: StoreContents): Finding {
  const what = 'face_crops';
  const where = kept === 'gallery' ? 'kept where a gallery says so' : 'kept unless a gallery says otherwise';
  if (kept !== false) return good(what, `${where}, sealed; ${crops} stored`);
  if (crops === 0) return good(what, 'not kept');
  return doubtful(
    what,
    `${crops} are stored from the time when WAJAH_KEEP_FACE_CROPS was on`,
    'keep them for `wajah reembed`, or erase them with `wajah crops erase`',
  );
}
