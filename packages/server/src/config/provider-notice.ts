import type { Engine } from '@wajah/engine';

/** What the start and `/ready` say of execution providers that were wanted and cannot be used. */
export function providerNotices({ providers }: Pick<Engine, 'providers'>): readonly string[] {
  const { used, missing } = providers;
  return missing.map(
    ({ name, problem }) =>
      `WAJAH_EXECUTION_PROVIDERS: ${name} cannot be used on this machine (${problem}); networks run on ${used.join(', ')}.`,
  );
}
