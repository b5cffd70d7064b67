import { openJsonVault } from '../../security/vaults/row-vaults.ts';
import type { Keys } from '../../security/vaults/sealing.ts';
import { openidSealed } from './tables.ts';

export type OpenidVaults = ReturnType<typeof createOpenidVaults>;

/** Encrypts the secrets of apps, the states of sign-ins, and the keys that sign ID tokens. */
export function createOpenidVaults(...masterKeys: Keys) {
  const { openidSecret, openidPayload, openidKeys } = openidSealed;
  return {
    secret: openJsonVault<string>(masterKeys, openidSecret),
    payload: openJsonVault<object>(masterKeys, openidPayload),
    keys: openJsonVault<readonly unknown[]>(masterKeys, openidKeys),
  };
}
