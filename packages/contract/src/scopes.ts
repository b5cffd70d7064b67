/** The scopes of tokens. */
export const scopes = [
  'recognise',
  'enrol',
  'read',
  'pictures',
  'manage',
  'webhooks',
  'diagnostics',
] as const;

export type Scope = (typeof scopes)[number];

/**
 * The scopes of an access token issued for a password, and of an API token that names none: all but `diagnostics`, which
 * must be asked for by name.
 */
export const ordinaryScopes = scopes.filter((scope) => scope !== 'diagnostics');

/** What each scope permits, for the documentation. */
export const scopeMeanings: Readonly<Record<Scope, string>> = {
  recognise: 'detect, verify, identify, compare, and judge liveness',
  enrol: 'enrol, rename, suspend and delete people',
  read: 'list galleries and faces, export what is known of a person, find duplicates, read counters, activity, status, audit trail and records of processing',
  pictures: 'read the face crops of enrolled users, where the operator keeps them, also in an export',
  manage: 'create, change and delete galleries and tokens, register and erase the client',
  webhooks: 'create, change, test and delete webhooks of the client, which are sent what its calls find',
  diagnostics: 'see what liveness sessions measured, and the spoof figures of detection; never implied',
};
