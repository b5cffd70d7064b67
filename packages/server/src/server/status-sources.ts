import { type Engine, installedPacks, roles } from '@wajah/engine';
import type { Config } from '../config/config.ts';
import type { Events } from '../events.ts';
import { packChoice } from '../operator/pack-choice.ts';
import type { PackStatus, StatusSources } from '../services/activity/status.ts';
import { version } from '../version.ts';

/** What the status of a server is read from. Which pack is in use is as of now: the start. */
export async function statusSources(
  { events }: { readonly events: Pick<Events, 'busy'> },
  engine: Pick<Engine, 'embeddingSpec'>,
  config: Pick<Config, 'packs'>,
): Promise<StatusSources> {
  const used = (await packChoice(config.packs)).id;
  return {
    version,
    startedAt: new Date(),
    busy: events.busy,
    packs: async () => [
      builtin(used, engine),
      ...(await installedPacks(config.packs.folder)).map(({ definition }) => {
        const networks = Object.entries(definition.networks).filter(([, network]) => network !== undefined);
        return {
          id: definition.id,
          version: definition.version,
          roles: networks.map(([role]) => role),
          inUse: definition.id === used,
          licence: [...new Set(networks.map(([, network]) => network?.licence))].join(', '),
        };
      }),
    ],
  };
}

/** It lends its networks to packs that lack some, so it is in use with them, too; they say which they bring. */
function builtin(used: string, { embeddingSpec: contract }: Pick<Engine, 'embeddingSpec'>): PackStatus {
  const version = contract.pack === 'builtin' ? contract.version : '';
  return { id: 'builtin', version, roles, inUse: used === 'builtin', licence: 'Apache-2.0, MIT, CC0-1.0' };
}
