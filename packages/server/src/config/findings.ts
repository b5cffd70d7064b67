import { RECOMMENDED_PACK, RECOMMENDED_PAD_PACK } from '@wajah/engine';
import { heldHours } from '../lib/clock-jump.ts';
import { dayMs } from '../lib/time.ts';
import { type Config, inOwnWords } from './config.ts';
import { bad, doubtful, type Fault } from './finding.ts';

/** Of a pack without a measured calibration. */
export const provisionalCalibration = (pack: string) =>
  doubtful(
    'provisional_calibration',
    `The calibration of the model pack ${pack} is provisional: it was computed from published operating points, and similarities may stand for other false match rates than they claim, except in galleries of five people or more, which are normalised by their own people`,
    'measure it on the people of the galleries with "wajah calibrate --gallery --install server", and restart the server',
  );

/** Commands that install the recommended PAD pack: by download, and from a folder with its files. */
export const padInstallCommands = [
  inOwnWords(`wajah models pull ${RECOMMENDED_PAD_PACK}`),
  inOwnWords(`wajah models pull ${RECOMMENDED_PAD_PACK} --from <folder>`),
] as const;

const padRemedy = `install it with "${padInstallCommands[0]}" (without internet access: "${padInstallCommands[1]}") unless it was fetched already, and restart the server`;

/** What answers say of a spoof check that does not pass because no network judged the picture. */
export const unjudgedDetail = `The model pack ${RECOMMENDED_PAD_PACK} is not in use: no network can judge presentation attacks, so no spoof check passes; ${padRemedy}.`;

/** Of a server without a PAD pack; other where the operator accepts what no network judges. */
export function padPackMissing({ thresholds }: Pick<Config, 'thresholds'>): Fault {
  const effect =
    thresholds.unclearSpoof === 'accept'
      ? 'with WAJAH_UNCLEAR_SPOOF=accept every spoof check passes without it, also of a print or a screen'
      : 'without it no spoof check and no liveness session passes';
  return doubtful(
    'pad_pack',
    `The model pack ${RECOMMENDED_PAD_PACK} is not in use, and ${effect}`,
    padRemedy,
  );
}

/** Where the built-in network compares faces alone (lab/results/packs-test.json, galleries of 100). */
export const builtinAlone = () =>
  doubtful(
    'model_pack',
    `builtin, without the pack ${RECOMMENDED_PACK}: of 100 people it misses 5.9 % in place of 3.4 % (FPIR 1 %)`,
    `start again while nobody is enrolled, which takes ${RECOMMENDED_PACK} by itself; with people: "wajah models pull ${RECOMMENDED_PACK}", "wajah models use ${RECOMMENDED_PACK}", and migrate them or enrol them again (docs/operations/models.md)`,
  );

/** Of a clock that holds erasures back. @param last sweep */
export const clockAhead = (last: Date) =>
  doubtful(
    'clock',
    `The clock is ${Math.floor((Date.now() - last.getTime()) / dayMs)} days ahead of the last erasure of people whose time had ended (${last.toISOString()})`,
    `set it, unless no server ran since: ${heldHours} hours after a server has seen this, it erases who is due by it, for good`,
  );

/** The file of the embedded database. @param damage what its check says */
export const damagedDatabase = (damage: string) =>
  bad(
    'database',
    `The database file is damaged: ${damage}`,
    'stop the server and restore a backup (docs/operations/storage.md)',
  );

/** Most rows that a finding names. */
const namedRows = 20;

/** Rows that somebody has changed so that they cannot be read. @param rows what is wrong with each */
export const damagedRows = (rows: readonly string[]) =>
  bad(
    'database_rows',
    `${rows.length} rows of the database cannot be read and are left out or refused: ${rows.slice(0, namedRows).join('; ')}`,
    'put them right, or restore a backup (`wajah doctor` reads all rows)',
  );
