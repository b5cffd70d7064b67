import type { idTokenAlgorithms } from '@wajah/contract/features/openid';

/** An app that signs people in. */
export interface OpenidApp {
  readonly id: string;
  readonly clientId: string;
  readonly galleryId: string;
  readonly redirectUris: readonly string[];
  /** Sealed; null: the app is public. */
  readonly secret: Uint8Array | null;
  /** Whether a person is identified without a login_hint. */
  readonly identify: boolean;
  readonly idTokenAlg: (typeof idTokenAlgorithms)[number];
  readonly createdAt: Date;
}

/** A sign-in under way, a code, a grant or an access token. */
export interface OpenidState {
  /** SHA-256 of kind and id. */
  readonly id: string;
  readonly clientId: string;
  readonly app: string;
  readonly galleryId: string;
  readonly userId: string | null;
  /** SHA-256 of the grant that it ends with. */
  readonly grantId: string | null;
  /** Sealed. */
  readonly payload: Uint8Array;
  readonly expiresAt: Date;
  readonly consumedAt: Date | null;
}

/** Apps, which are erased with client and gallery, with their states, which are also with the person, and the keys that sign ID tokens. */
export interface OpenidStore {
  /** @param most apps of a client @returns false when it has as many, or client or gallery is gone */
  addApp(app: OpenidApp, most: number): Promise<boolean>;
  app(id: string): Promise<OpenidApp | null>;
  /** In the order of their creation. */
  apps(clientId: string): Promise<OpenidApp[]>;
  /** With its states. @returns false when there is none */
  removeApp(id: string): Promise<boolean>;
  /** Writes a state, or writes it anew. Nothing is written of an app that is gone. */
  put(state: OpenidState): Promise<void>;
  state(id: string): Promise<OpenidState | null>;
  /** Atomically for all servers. @returns false when it was consumed before, or is gone */
  consume(id: string, at: Date): Promise<boolean>;
  remove(id: string): Promise<void>;
  /** Removes what a grant has given. */
  removeOfGrant(grantId: string): Promise<void>;
  prune(now: Date): Promise<void>;
  /** The sealed keys that are stored: `keys`, unless there were some. */
  keys(id: string, keys: () => Promise<Uint8Array>): Promise<Uint8Array>;
  /** @returns false when they are not `from` any longer: another server has replaced them */
  replaceKeys(id: string, from: Uint8Array, to: Uint8Array): Promise<boolean>;
}
