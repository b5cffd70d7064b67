import type { Comparer, Engine } from '@wajah/engine';
import type { Config } from '../config/config.ts';
import type { Events } from '../events/table.ts';
import type { Matcher } from '../matching/ports.ts';
import type { LoginGuard } from '../security/login-guard.ts';
import type { ExternalIssuer } from '../security/tokens/external-issuer.ts';
import type { LivenessTokens } from '../security/tokens/liveness-tokens.ts';
import type { TokenIssuer } from '../security/tokens/token-issuer.ts';
import type { SessionVault } from '../security/vaults/row-vaults.ts';
import type { TemplateVault } from '../security/vaults/template-vault.ts';
import type { Store } from '../store/ports/store.ts';
import type { Scheduler } from './scheduling/ports.ts';

/** What services are made from besides other services, each part under its one name; `server/context.ts` opens it. */
interface OpenedParts {
  readonly config: Config;
  readonly store: Store;
  readonly events: Events;
  readonly engine: Engine;
  /** The comparison of templates, before the networks are loaded. */
  readonly comparer: Comparer;
  readonly scheduler: Scheduler;
  readonly matcher: Matcher;
  readonly vault: TemplateVault;
  readonly sessionVault: SessionVault;
  readonly issuer: TokenIssuer;
  readonly external: ExternalIssuer | null;
  readonly guard: LoginGuard;
  readonly livenessTokens: LivenessTokens;
}

/** The parts that a service needs, by their names. */
export type ServiceParts<Name extends keyof OpenedParts> = Pick<OpenedParts, Name>;
