import * as contract from '@wajah/contract';
import { expect, it } from 'vitest';
import { defaultScopes, scopes } from './types.ts';

it('scopes are those of the server, and a new token has the same ones by default', () => {
  expect([scopes, defaultScopes]).toEqual([contract.scopes, contract.defaultScopes]);
});
