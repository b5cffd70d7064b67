import type { Config } from '../config/config.ts';
import { packChoice } from '../config/pack-choice.ts';
import { localMetaKeys } from '../store/database/tables.ts';
import type { MetaStore } from '../store/meta-store.ts';

/** The settings by which a server enrols: a command that enrols follows them, whatever its own environment says. */
export type EnrolmentSettings = Awaited<ReturnType<typeof enrolmentSettings>>;

export async function enrolmentSettings({ keepFaceCrops, packs, limits }: Config) {
  return {
    WAJAH_KEEP_FACE_CROPS: keepFaceCrops,
    WAJAH_PACK: (await packChoice(packs)).id,
    WAJAH_ACCEPT_NONCOMMERCIAL: packs.acceptNonCommercial,
    WAJAH_MIN_FACE: limits.minFace,
    WAJAH_MIN_FACE_ENROL: limits.minFaceEnrol,
  };
}

/** Writes the settings of the server that starts, of several the last one, beside the data. */
export async function writeEnrolmentSettings(meta: Pick<MetaStore, 'set'>, config: Config): Promise<void> {
  await meta.set(localMetaKeys.settings, JSON.stringify(await enrolmentSettings(config)));
}

/** @returns null: no server was started on these data */
export async function readEnrolmentSettings(meta: Pick<MetaStore, 'get'>): Promise<EnrolmentSettings | null> {
  const written = await meta.get(localMetaKeys.settings);
  return written === null ? null : (JSON.parse(written) as EnrolmentSettings);
}

/**
 * The configuration of a command with the settings of the server.
 * @param written null: the command's own are used
 * @returns also a line that names those that differ; null: none does
 */
export async function followEnrolmentSettings(config: Config, written: EnrolmentSettings | null) {
  if (written === null) return { config, notice: null };
  const own: Readonly<Record<string, unknown>> = await enrolmentSettings(config);
  const differing = Object.entries(written).filter(([name, value]) => own[name] !== value);
  const text = differing.map(([name, value]) => `${name}=${value} (here ${own[name]})`).join(', ');
  const { packs, limits } = config;
  const followed: Config = {
    ...config,
    keepFaceCrops: written.WAJAH_KEEP_FACE_CROPS,
    packs: {
      ...packs,
      use: written.WAJAH_PACK,
      acceptNonCommercial: written.WAJAH_ACCEPT_NONCOMMERCIAL,
    },
    limits: {
      ...limits,
      minFace: written.WAJAH_MIN_FACE,
      minFaceEnrol: written.WAJAH_MIN_FACE_ENROL,
    },
  };
  return { config: followed, notice: text === '' ? null : `The settings of the server are used: ${text}.` };
}
