import { randomBytes } from 'node:crypto';
import { Refusal } from '../../errors.ts';
import { minuteMs } from '../../lib/time.ts';
import { digestOf } from '../../security/tokens/api-tokens.ts';
import { localMetaKeys } from '../../store/database/tables.ts';
import type { ServiceParts } from '../parts.ts';
import { isClientId, issueAsked, requireClient } from './clients.ts';
import type { SignInLinks } from './ports.ts';

/** Minutes that a link is valid. */
export const signInMinutes = 15;

/** The link that is valid: there is one at a time. Empty: none. */
interface StoredLink {
  /** SHA-256 of the code, hexadecimal. */
  readonly digest: string;
  readonly clientId: string;
  /** `tokensSince` of the client, ms since 1970: a password that was replaced meanwhile ends the link, too. */
  readonly tokensSince: number;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

const used = '{}';

/** Links that sign a client in to the console once, without its password. */
export function createSignInLinks({
  store,
  issuer,
  guard,
}: ServiceParts<'store' | 'issuer' | 'guard'>): SignInLinks {
  return {
    async create(clientId) {
      const { tokensSince } = await requireClient(store, clientId);
      const code = randomBytes(18).toString('base64url');
      const link: StoredLink = {
        digest: digestOf(code),
        clientId,
        tokensSince: tokensSince.getTime(),
        expiresAt: Date.now() + signInMinutes * minuteMs,
      };
      await store.meta.set(localMetaKeys.signInLink, JSON.stringify(link));
      return `/console#/sign-in/${encodeURIComponent(clientId)}/${code}`;
    },

    async use({ clientId, code, address }, asked = []) {
      const attempt = await guard.admit(isClientId(clientId) ? clientId : '', address);
      try {
        const stored = (await store.meta.get(localMetaKeys.signInLink)) ?? used;
        const link = JSON.parse(stored) as Partial<StoredLink>;
        const client = await store.clients.get(link.clientId ?? '');
        const fits = link.clientId === clientId && link.digest === digestOf(code);
        const valid =
          (link.expiresAt ?? 0) > Date.now() && client?.tokensSince.getTime() === link.tokensSince;
        // Of concurrent calls one replaces it.
        const taken = fits && valid && (await store.meta.replace(localMetaKeys.signInLink, stored, used));
        if (!client || !taken) throw new Refusal('signInLinkUsed');
        await attempt.succeeded();
        return issueAsked(issuer, client, asked);
      } finally {
        attempt.release();
      }
    },
  };
}
