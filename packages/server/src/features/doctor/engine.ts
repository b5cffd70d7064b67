import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  damagedFiles,
  findPadNetworks,
  installedPack,
  installedPacks,
  isPadPack,
  prepareBuiltinPack,
  RECOMMENDED_PAD_PACK,
  requireUsable,
} from '@wajah/engine';
import type { Config } from '../../config/config.ts';
import { attempt, bad, type Finding, good } from '../../config/finding.ts';
import { builtinAlone, padPackMissing } from '../../config/findings.ts';
import { packChoice } from '../../config/pack-choice.ts';
import { otherPack } from '../../services/galleries/embedding-spec.ts';
import { packOfNextStart } from '../../store/next-pack.ts';

/** The pack that the next start runs, whom it is not for, and the built-in networks. */
export async function checkPack(config: Config): Promise<Finding[]> {
  const what = 'model_pack';
  // What is wrong with the store is another check.
  const next = await packOfNextStart(config).catch(() => null);
  const id = next?.id ?? (await packChoice(config.packs)).id;
  const pack = await attempt(what, async () => {
    await prepareBuiltinPack();
    return id === 'builtin' ? [builtinAlone()] : [await checkInstalled(config.packs, id)];
  });
  const others = next?.others ?? [];
  return [
    ...pack.filter(({ severity }) => others.length === 0 || severity === 'bad'),
    ...others.map((other) =>
      otherPack(
        'Galleries',
        { stored: other, runs: `the next start runs ${id}` },
        `\`wajah models use ${other}\`, or stop it and migrate them (\`wajah reembed --to ${id}\`)`,
      ),
    ),
  ];
}

/** Whether the program that starts the workers starts one. */
export async function checkLauncher({ engine }: Pick<Config, 'engine'>): Promise<Finding[]> {
  const [file, ...args] = engine.launcher;
  if (file === undefined) return [];
  const what = 'WAJAH_ENGINE_LAUNCHER';
  try {
    await promisify(execFile)(file, [...args, process.execPath, '--version'], { timeout: 10_000, env: {} });
    return [good(what, `${file} starts workers`)];
  } catch (error) {
    const reason = (error as Error).message.trim().replaceAll('\n', '; ');
    return [bad(what, `no worker starts: ${reason}`, 'correct it, or remove it')];
  }
}

async function checkInstalled(
  { folder, acceptNonCommercial }: Config['packs'],
  id: string,
): Promise<Finding> {
  const what = 'model_pack';
  const pack = await installedPack(folder, id);
  requireUsable(pack.definition, acceptNonCommercial);
  const damaged = await damagedFiles(pack);
  if (damaged.length === 0) return good(what, id);
  const found = `${id} is damaged, and no server starts: ${damaged.join(', ')} missing or changed`;
  return bad(what, found, `install it again with \`wajah models pull ${id}\``);
}

/** Whether a pack of PAD networks is installed that the next start of a server will use. */
export async function checkPadPack(config: Pick<Config, 'packs' | 'thresholds'>): Promise<Finding[]> {
  const what = 'pad_pack';
  const { folder, acceptNonCommercial } = config.packs;
  const found = await findPadNetworks(folder, acceptNonCommercial);
  if (found) return [good(what, found.pack)];
  for (const pack of await installedPacks(folder)) {
    const damaged = isPadPack(pack.definition) ? await damagedFiles(pack) : [];
    if (damaged.length === 0) continue;
    const { id } = pack.definition;
    const remedy = `install it again with \`wajah models pull ${RECOMMENDED_PAD_PACK}\``;
    return [bad(what, `${id} is damaged (${damaged.join(', ')}) and is not used`, remedy)];
  }
  return [padPackMissing(config)];
}
