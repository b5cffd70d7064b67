import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSessionVault } from './row-vaults.ts';
import { SealError } from './sealing.ts';

const vault = createSessionVault(randomBytes(32));
const place = { clientId: 'a', sessionId: 's', embeddingSpec: '{}' };

describe('a sealed template', () => {
  it('opens with its own context only', () => {
    const template = Float32Array.of(0.5, -0.25, 0);
    const sealed = vault.seal(place, template);
    expect(vault.open(place, sealed)).toEqual(template);
    for (const other of [{ clientId: 'b' }, { sessionId: 't' }, { embeddingSpec: '[]' }]) {
      expect(() => vault.open({ ...place, ...other }, sealed)).toThrow(SealError);
    }
    expect(() => createSessionVault(randomBytes(32)).open(place, sealed)).toThrow(SealError);
  });
});
