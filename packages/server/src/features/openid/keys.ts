import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { hourMs, minuteMs } from '../../lib/time.ts';
import type { OpenidStore } from './ports.ts';
import type { OpenidVaults } from './vault.ts';

const row = { clientId: '', id: 'signing' };

/** How long an ID token is valid. */
export const idTokenMs = hourMs;

/** How long a new key is published before it signs: apps keep the keys that they have read. */
const announcedMs = hourMs;

/** Clocks of apps may be behind. */
const skewMs = 5 * minuteMs;

/** A private key that signs ID tokens, as it is stored. Times are ms since 1970. */
interface Key extends JWK {
  readonly kid: string;
  /** Until then it is only published; absent: it signs. */
  readonly signsFrom?: number;
  /** When the last token that it signed has ended; absent: it has no successor. */
  readonly until?: number;
}

/** The private keys that sign ID tokens, of RS256 and EdDSA, which the servers of a database share. */
export interface OpenidKeys {
  /** Those that are published now; of an algorithm the first one signs. The first call generates them. */
  current(): Promise<readonly JWK[]>;
  /** @param atOnce the former keys are erased now; otherwise they sign for an hour, and verify until their tokens have ended */
  rotate(atOnce: boolean): Promise<{ readonly signsFrom: Date; readonly formerUntil: Date }>;
}

export function createKeys(store: OpenidStore, { keys: vault }: OpenidVaults): OpenidKeys {
  const seal = (keys: readonly Key[]) => vault.seal(row, keys);
  const read = async () => {
    const sealed = await store.keys(row.id, async () => seal(await newKeys()));
    return { sealed, keys: vault.open(row, sealed) as Key[] };
  };
  return {
    async current() {
      const { sealed, keys } = await read();
      const now = Date.now();
      const valid = keys.filter(({ until = Number.POSITIVE_INFINITY }) => until > now);
      if (valid.length < keys.length) await store.replaceKeys(row.id, sealed, seal(valid));
      return published(valid, now);
    },
    async rotate(atOnce) {
      const added = await newKeys();
      const signsFrom = Date.now() + (atOnce ? 0 : announcedMs);
      const formerUntil = atOnce ? signsFrom : signsFrom + idTokenMs + skewMs;
      const next = (former: readonly Key[]) =>
        atOnce
          ? added
          : [
              ...added.map((key) => ({ ...key, signsFrom })),
              ...former.map((key) => ({ ...key, until: Math.min(key.until ?? formerUntil, formerUntil) })),
            ];
      // Optimistic: another server may replace them meanwhile.
      for (;;) {
        const { sealed, keys } = await read();
        if (await store.replaceKeys(row.id, sealed, seal(next(keys)))) break;
      }
      return { signsFrom: new Date(signsFrom), formerUntil: new Date(formerUntil) };
    },
  };
}

/** Without their times; those that do not sign yet are the last. @param keys the newest first */
function published(keys: readonly Key[], now: number): JWK[] {
  const signs = ({ signsFrom = 0 }: Key) => signsFrom <= now;
  return [...keys.filter(signs), ...keys.filter((key) => !signs(key))].map(
    ({ signsFrom: _, until: __, ...jwk }) => jwk,
  );
}

async function newKeys(): Promise<Key[]> {
  const generate = promisify(generateKeyPair);
  const rsa = await generate('rsa', { modulusLength: 2048 });
  const ed25519 = await generate('ed25519', {});
  return Promise.all([keyOf(rsa.privateKey, 'RS256'), keyOf(ed25519.privateKey, 'EdDSA')]);
}

async function keyOf(key: KeyObject, alg: string): Promise<Key> {
  const jwk = key.export({ format: 'jwk' }) as JWK;
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg, use: 'sig' };
}
