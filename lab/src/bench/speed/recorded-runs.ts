import { type Role, roles } from '../../../../packages/engine/dist/packs/manifest.js';
import type { Model, Models, Network } from '../../../../packages/engine/dist/runtime/model.js';

/** A run of a network with its input. */
export interface RecordedRun {
  readonly role: Role;
  readonly network: Network;
  readonly feeds: Parameters<Network['run']>[0];
  /** Size of the batch. */
  readonly crops: number;
}

/** Models that record each run. */
export function recording(models: Models): { models: Models; runs: readonly RecordedRun[] } {
  const runs: RecordedRun[] = [];
  const recorded = around(models, (role, network, feeds) => {
    runs.push({ role, network, feeds, crops: Object.values(feeds)[0]!.dims[0]! });
    return network.run(feeds);
  });
  return { models: recorded, runs };
}

/** Models that add up the CPU time of their runs, milliseconds. */
export function measuring(models: Models): { models: Models; cpuMs: Partial<Record<Role, number>> } {
  const cpuMs: Partial<Record<Role, number>> = {};
  const measured = around(models, async (role, network, feeds) => {
    const before = process.cpuUsage();
    const outputs = await network.run(feeds);
    const { user, system } = process.cpuUsage(before);
    cpuMs[role] = (cpuMs[role] ?? 0) + (user + system) / 1000;
    return outputs;
  });
  return { models: measured, cpuMs };
}

type Run = (role: Role, network: Network, feeds: Parameters<Network['run']>[0]) => ReturnType<Network['run']>;

function around(models: Models, run: Run): Models {
  const own = roles.map((role): [Role, Model] => {
    const wrapped = ({ network, spec, smaller }: Model): Model => ({
      spec,
      network: { ...network, run: (feeds) => run(role, network, feeds) },
      smaller: smaller && wrapped(smaller),
    });
    return [role, wrapped(models[role])];
  });
  return { ...models, ...(Object.fromEntries(own) as Record<Role, Model>) };
}
