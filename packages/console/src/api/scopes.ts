import type { Token } from './types.ts';

export type Scope = Token['scopes'][number];

/** A record, so that the compiler misses a scope that is new. */
const all: Readonly<Record<Scope, true>> = {
  recognise: true,
  enrol: true,
  read: true,
  pictures: true,
  manage: true,
};

/** What a token may be allowed, as the server orders it. */
export const scopes = Object.keys(all) as readonly Scope[];
