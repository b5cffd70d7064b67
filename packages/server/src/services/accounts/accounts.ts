import type { AccountService } from '../services.ts';
import {
  type AccountAdministration,
  type AdministrationDependencies,
  createAccountAdministration,
} from './account-administration.ts';
import { type AuthenticationDependencies, createAuthentication } from './authentication.ts';

/** Accounts as the token endpoints see them, and as the operator does. */
export type Accounts = AccountService & AccountAdministration;

/**
 * @example
 * const accounts = createAccountService({ store, issuer, external, guard, matcher, clients, config });
 * const { accessToken } = await accounts.create({ clientId: 'demo' });
 * await accounts.authenticate(accessToken); // { clientId: 'demo' }
 */
export function createAccountService(
  deps: AdministrationDependencies & AuthenticationDependencies,
): Accounts {
  return { ...createAccountAdministration(deps), ...createAuthentication(deps) };
}
