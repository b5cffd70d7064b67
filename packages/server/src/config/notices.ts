import { type Engine, RECOMMENDED_PACK, RECOMMENDED_PAD_PACK } from '@wajah/engine';
import { type Config, inOwnWords } from './config.ts';

/** What the start, `/ready`, the console and the documents say of a pack without a measured calibration. */
export function provisionalNotice(pack: string): string {
  return inOwnWords(
    `The calibration of the model pack ${pack} is provisional: it was computed from published operating points, and similarities may stand for other false match rates than they claim. Galleries of five people or more are normalised by their own people. Measure it on the people of the galleries with "wajah calibrate --gallery --install server", and restart the server.`,
  );
}

/** The notice as a list, empty where the calibration was measured. */
export function calibrationNotices({
  provisional,
  embeddingSpec,
}: Pick<Engine, 'provisional' | 'embeddingSpec'>): readonly string[] {
  return provisional ? [provisionalNotice(embeddingSpec.pack)] : [];
}

/** Commands that install the recommended PAD pack: by download, and from a folder with its files. */
export const padInstallCommands = [
  inOwnWords(`wajah models pull ${RECOMMENDED_PAD_PACK}`),
  inOwnWords(`wajah models pull ${RECOMMENDED_PAD_PACK} --from <folder>`),
] as const;

const padRemedy = `install it with "${padInstallCommands[0]}" (without internet access: "${padInstallCommands[1]}") and restart the server.`;

/** What answers say of a spoof check that does not pass because no network judged the picture. */
export const unjudgedDetail = `The model pack ${RECOMMENDED_PAD_PACK} is not installed: no network can judge presentation attacks, so no spoof check passes; ${padRemedy}`;

/** What `wajah doctor` says where the built-in network compares faces alone (lab/results/packs-test.json, galleries of 100). */
export const builtinNotice = `builtin, without the pack ${RECOMMENDED_PACK}: of 100 people it misses 5.9 % in place of 3.4 % (FPIR 1 %). A start takes ${RECOMMENDED_PACK} by itself while nobody is enrolled; with people: "wajah models pull ${RECOMMENDED_PACK}", "wajah models use ${RECOMMENDED_PACK}", and migrate them or enrol them again (docs/operations/models.md)`;

/** What the start, `wajah doctor`, `/ready`, the console and the documents say of a server without a PAD pack. */
export const padNotice = `The model pack ${RECOMMENDED_PAD_PACK} is not installed, and without it no spoof check and no liveness session passes: ${padRemedy}`;

/** The same where the operator accepts what no network judges. */
export const padNoticeOfAccept = `The model pack ${RECOMMENDED_PAD_PACK} is not installed, and with WAJAH_UNCLEAR_SPOOF=accept every spoof check passes without it, also of a print or a screen: ${padRemedy}`;

/** The notice for these settings. */
export function padNoticeFor({ thresholds }: Pick<Config, 'thresholds'>): string {
  return thresholds.unclearSpoof === 'accept' ? padNoticeOfAccept : padNotice;
}

/** The notice as a list, empty where the networks of a PAD pack are in use. */
export function padNotices(
  { padPack }: Pick<Engine, 'padPack'>,
  config: Pick<Config, 'thresholds'>,
): readonly string[] {
  return padPack === null ? [padNoticeFor(config)] : [];
}

/** What the start and `/ready` say of execution providers that were wanted and cannot be used. */
export function providerNotices({ providers }: Pick<Engine, 'providers'>): readonly string[] {
  const { used, missing } = providers;
  return missing.map(
    ({ name, problem }) =>
      `WAJAH_EXECUTION_PROVIDERS: ${name} cannot be used on this machine (${problem}); networks run on ${used.join(', ')}.`,
  );
}
