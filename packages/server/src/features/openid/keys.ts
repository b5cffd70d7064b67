import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, type JWK } from 'jose';
import type { OpenidStore } from './ports.ts';
import type { OpenidVaults } from './vault.ts';

const row = { clientId: '', id: 'signing' };

/** The private keys that sign ID tokens, of RS256 and EdDSA: the first start generates them, servers of a database share them. */
export async function openKeys(store: Pick<OpenidStore, 'keys'>, { keys }: OpenidVaults): Promise<JWK[]> {
  const sealed = await store.keys(row.id, async () => keys.seal(row, await newKeys()));
  return keys.open(row, sealed) as JWK[];
}

async function newKeys(): Promise<JWK[]> {
  const generate = promisify(generateKeyPair);
  const rsa = await generate('rsa', { modulusLength: 2048 });
  const ed25519 = await generate('ed25519', {});
  return Promise.all([jwkOf(rsa.privateKey, 'RS256'), jwkOf(ed25519.privateKey, 'EdDSA')]);
}

async function jwkOf(key: KeyObject, alg: string): Promise<JWK> {
  const jwk = key.export({ format: 'jwk' }) as JWK;
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg, use: 'sig' };
}
