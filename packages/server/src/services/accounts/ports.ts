import type { AskedScope, ClientRequest, RequestOf, Scope } from '@wajah/contract';
import type { Receipt } from '../../events/ports.ts';
import type { ClientRecord, Quota } from '../../store/ports/clients.ts';
import type { ApiTokenRecord, CompatibleService, TokenBinding } from '../../store/ports/tokens.ts';
import type { Caller } from '../caller.ts';

/** A client's password, and the address or network that it was sent from. */
export interface Credentials {
  readonly clientId: string;
  readonly password: string;
  readonly address: string;
}

/** Whose token it is, and what it may do. */
export interface Identity {
  readonly clientId: string;
  /** Null: the ordinary ones. */
  readonly scopes: readonly string[] | null;
  /** Null: it is for the service's own interface. */
  readonly binding: TokenBinding | null;
  /** The session whose page has this secret in place of a token. */
  readonly sessionId?: string;
}

/** What replaces a password, and what follows. */
export interface NewPassword {
  readonly newPassword: string;
  readonly revokeApiTokens: boolean;
  /** Scopes that the new access token gets as well. */
  readonly asked: readonly AskedScope[];
}

export interface NewClient {
  readonly clientId: string;
  /** Default: a random one. */
  readonly password?: string;
  readonly quota?: Partial<Quota>;
  /** May read the status and the audit trail of the server. */
  readonly operator?: boolean;
}

/** Refuses a call that neither an operator nor the operator of the installation makes. @throws Refusal `denied` */
export type RequireOperator = (caller: Pick<Caller, 'clientId' | 'isOperator'>) => Promise<void>;

/** The password and the right of an operator are given by the operator of the installation alone. */
export type NewClientRequest = RequestOf<'createClient'> & {
  readonly password?: string | undefined;
  readonly operator?: boolean | undefined;
};

export type NewPasswordRequest = ClientRequest & {
  readonly password?: string | undefined;
  readonly keepTokens?: boolean | undefined;
};

/** A hit that was taken from a client's quota. */
export interface Hit {
  /**
   * Resolves when the store has counted it; to be awaited before the answer.
   * @returns false when fewer remained than this server knew, or the client is not registered any more
   * @throws StoreUnavailable
   */
  counted(): Promise<boolean>;
  /** Returns it, after a call that was refused as busy. */
  giveBack(): Promise<void>;
}

/** The service of CompreFace that a token is for is named by the operator of the installation alone. */
export type BoundTokenRequest = RequestOf<'createApiToken'> & {
  readonly compreface?: CompatibleService | undefined;
};

/** An access token of a client. */
export interface AccessToken {
  readonly accessToken: string;
  /** Seconds. */
  readonly expiresIn: number;
}

/** An access token with the scopes that were asked for and granted. */
export interface GrantedToken extends AccessToken {
  readonly scopes: readonly AskedScope[];
}

/** A client that was created, with its password. */
export interface CreatedClient extends AccessToken {
  readonly clientId: string;
  readonly password: string;
}

/** How much a client owned that was erased. */
export interface ErasedClient {
  readonly galleries: number;
  readonly faces: number;
}

/** An API token, which cannot be read again. */
export interface CreatedApiToken {
  readonly id: string;
  readonly token: string;
  readonly name: string;
  readonly expiresAt: Date | null;
  readonly scopes: readonly Scope[];
}

/** An API token in a list. */
export type ListedToken = Omit<ApiTokenRecord, 'scopes'> & { readonly scopes: readonly Scope[] };

/** The accounts of clients: authentication, and what the operator does with them. */
export interface AccountService {
  /** Creates and registers a client, with its first gallery. */
  create(client: NewClient): Promise<CreatedClient>;
  setQuota(clientId: string, quota: Partial<Quota>): Promise<void>;
  setOperator(clientId: string, operator: boolean): Promise<void>;
  /**
   * Replaces a lost password.
   * @param password default: a random one
   * @param keepTokens leaves access tokens and API tokens valid
   * @returns the random password; null: it was given
   */
  resetPassword(clientId: string, password?: string, keepTokens?: boolean): Promise<string | null>;
  /** Erases the account and everything it owns; its tokens become invalid. @returns how much was erased */
  remove(clientId: string): Promise<ErasedClient>;
  authenticate(token: string): Promise<Identity>;
  /**
   * @param asked scopes that the token gets as well; `operate` only that of an operator
   * @throws Refusal `unauthorized` (the same for an unknown client and a wrong password) | `tooManyRequests`
   */
  login(credentials: Credentials, asked?: readonly AskedScope[]): Promise<GrantedToken>;
  /** @throws Refusal as `login`, and for a new password of another length */
  changePassword(change: Credentials & NewPassword, trxId: string): Promise<GrantedToken>;
  /** Revokes a token of the client whose credentials are given. @throws Refusal as `login` */
  revoke(credentials: Credentials & { readonly token: string }, trxId: string | null): Promise<void>;
  /** Revokes a valid token, for whoever holds it. @throws Refusal `unauthorized` */
  revokeOwn(token: string, trxId: string | null): Promise<void>;
}

/** Registers and erases the calling client, and reads its counters. */
export interface ClientService {
  /** Creates the record of the client and its first gallery, `<client_id>@trial`. Idempotent. */
  register(caller: Caller): Promise<{ galleryId: string }>;
  /** Erases everything the client owns. @returns the remaining galleries: none */
  erase(caller: Caller): Promise<{ galleryIds: string[]; receipt: Receipt | null }>;
  /** What remains of the quotas; `unlimited` where there is no limit. */
  counters(caller: Caller): Promise<Quota>;
}

/** What operators do with clients. So no operator becomes another one, none makes another one, and one is always left. */
export interface ClientAdministration {
  /** @returns its password, a random one where none is given @throws Refusal `denied` | `clientExists` | `malformed` */
  create(caller: Caller, client: NewClientRequest): Promise<CreatedClient>;
  /** @throws Refusal `denied` | `clientNotFound` | `malformed` */
  setQuota(caller: Caller, limits: RequestOf<'setClientQuota'>): Promise<void>;
  /**
   * Revokes all of its tokens: nobody takes a client over without its noticing.
   * @returns the random password; empty: it was given
   * @throws Refusal as `erase`
   */
  resetPassword(caller: Caller, request: NewPasswordRequest): Promise<{ clientId: string; password: string }>;
  /** @throws Refusal `denied`, also for an operator | `clientNotFound` */
  erase(caller: Caller, request: ClientRequest): Promise<ErasedClient & { readonly receipt: Receipt | null }>;
  /** In the order of their names. @throws Refusal `denied` */
  list(
    caller: Caller,
    request: RequestOf<'listClients'>,
  ): Promise<{ clients: ClientRecord[]; nextAfter: string | null }>;
}

/** Counts calls against a client's quota. */
export interface QuotaService {
  /**
   * @param later for a call that changes nothing and takes a while: the store may count it while it is served
   * @returns null when no call remains
   * @throws Refusal `denied` when the client is not registered
   */
  take(clientId: string, later: boolean): Promise<Hit | null>;
  /** Resolves when all hits so far are counted or cannot be. */
  settled(): Promise<void>;
}

/** Links that sign a client in to the console once, without its password. */
export interface SignInLinks {
  /**
   * Makes a link, which replaces the former one.
   * @returns its address without the server: the code is behind `#`, so that no server or proxy sees it in a URL
   * @throws Refusal `clientNotFound`
   */
  create(clientId: string): Promise<string>;
  /**
   * Issues an access token for a link, which is used up by it.
   * @param address of the caller, whose failures are limited as those of logins
   * @throws Refusal `signInLinkUsed` | `tooManyLogins`
   */
  use(
    link: { clientId: string; code: string; address: string },
    asked?: readonly AskedScope[],
  ): Promise<GrantedToken>;
}

/** API tokens, managed by their client or by the operator. */
export interface TokenService {
  /**
   * @returns the token, which cannot be read again
   * @throws Refusal `denied` for a scope that the caller lacks, or when the client has too many tokens
   */
  create(caller: Caller, request: BoundTokenRequest): Promise<CreatedApiToken>;
  /** In the order of their creation. */
  list(caller: Caller): Promise<ListedToken[]>;
  /**
   * @param tokenId the operator may name a token of any client, by itself too
   * @throws Refusal `tokenNotFound`
   */
  revoke(caller: Caller, request: RequestOf<'revokeApiToken'>): Promise<void>;
}
