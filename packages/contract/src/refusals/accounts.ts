import type { RefusalRow } from './sentence.ts';

/** Refusals of credentials, tokens and quotas, and of what only some clients may do. */
export const accountRefusals = {
  tokenToRevokeMissing: { status: 'unauthorized', field: 'Accesstoken', sentence: 'the header is missing' },
  grantType: {
    status: 'malformed',
    field: 'grant_type',
    sentence: 'found {found:phrase}; allowed is client_credentials',
  },
  credentialMissing: {
    status: 'malformed',
    sentence: '{field}: found nothing; send it in the body or as HTTP Basic',
  },
  basicMalformed: {
    status: 'malformed',
    sentence: 'Authorization: Basic without client_id:password',
  },
  operatorOnly: {
    status: 'denied',
    sentence: 'the client is not an operator; `wajah client set-operator` makes it one',
  },
  clientNotNamed: {
    status: 'malformed',
    sentence: 'X-Client: found nothing; name the client that the operator acts for',
  },
  galleryWithoutClient: {
    status: 'malformed',
    field: 'facegallery_id',
    sentence: 'names of galleries are those of a client; name [[client_id|client ID]] too',
  },
  operatorTold: { status: 'malformed', sentence: '{reason}' },
  clientNotFound: {
    status: 'clientNotFound',
    field: 'client_id',
    sentence: 'there is no client {client:json}; list the clients',
  },
  clientExists: {
    status: 'clientExists',
    field: 'client_id',
    sentence: '{client} exists already; choose another name',
  },
  clientIdNotAllowed: {
    status: 'malformed',
    field: 'client_id',
    sentence: '{client:json} is not allowed; use 1 to {most} letters, digits or . _ @ -',
  },
  clientIsOperator: {
    status: 'denied',
    field: 'client_id',
    sentence: '{client} is an operator; `wajah client` on the server resets its password, or deletes it',
  },
  clientWithoutPassword: {
    status: 'denied',
    field: 'client_id',
    sentence: '{client} has no password: its tokens are of another issuer',
  },
  noRoomForGallery: {
    status: 'malformed',
    field: 'n_facegallery',
    sentence: '0 leaves no room for the first gallery',
  },
  quotaMissing: {
    status: 'malformed',
    field: 'n_api_hits, n_face, n_facegallery',
    sentence: 'found none; name at least one',
  },
  tooManyTokens: {
    status: 'denied',
    field: 'name',
    sentence:
      'you have {count} tokens, the maximum; revoke one that no program uses (list-tokens says when each was used)',
  },
  tokenNotFound: {
    status: 'tokenNotFound',
    field: 'token_id',
    sentence: 'you have no token of this id; list your tokens',
  },
  scopeNotHeld: {
    status: 'denied',
    field: 'scopes',
    sentence: 'your token lacks the scope {scope}, so it cannot grant it',
  },
  wrongCredentials: { status: 'unauthorized', sentence: '[[client_id|client ID]] or password is wrong' },
  signInLinkUsed: {
    status: 'unauthorized',
    field: 'sign_in_code',
    sentence: 'the link was used, replaced or has expired; `wajah client sign-in-link` prints another',
  },
  newPasswordLength: {
    status: 'malformed',
    field: 'new_password',
    sentence: 'it has {count} characters; {min} to {max} are allowed',
  },
  callQuotaUsedUp: {
    status: 'denied',
    field: 'n_api_hits',
    sentence: 'the number of calls that this client may make is used up; ask the operator for more',
  },
  clientNotRegistered: { status: 'denied', sentence: 'client not registered; register the client first' },
  clientDeleted: {
    status: 'denied',
    sentence: 'the operator has deleted the client {client}; `wajah client create {client}` makes it again',
  },
  tokenUnknown: {
    status: 'unauthorized',
    field: 'Accesstoken',
    sentence: 'the token is not known here; get a new one',
  },
  tokenExpired: {
    status: 'unauthorized',
    field: 'Accesstoken',
    sentence: 'the token has expired; get a new one',
  },
  tokenRevoked: {
    status: 'unauthorized',
    field: 'Accesstoken',
    sentence: 'the token was revoked; get a new one',
  },
  issuerUnreachable: {
    status: 'busy',
    field: 'Accesstoken',
    sentence: 'the keys of the token issuer cannot be fetched now; try again',
  },
  tooManyLogins: {
    status: 'tooManyRequests',
    sentence: 'too many failed or simultaneous logins; wait {seconds} s',
  },
  tokenMissing: {
    status: 'unauthorized',
    field: 'Accesstoken',
    sentence: 'none was sent; send an access token',
  },
  scopeMissing: {
    status: 'denied',
    field: 'Accesstoken',
    sentence: 'the scope {needed} is needed here, the token has {held}',
  },
  attributeScope: {
    status: 'denied',
    field: 'attributes',
    sentence:
      '{attribute} needs the scope {scope}, which the token lacks; leave it out, or ask for a token with that scope',
  },
  tooManyBadTokens: {
    status: 'tooManyRequests',
    field: 'Accesstoken',
    sentence: 'found more than {most} calls in a minute whose token was refused; try again in {seconds} s',
  },
  tokenBound: {
    status: 'denied',
    field: 'Accesstoken',
    sentence: 'this token is for {binding}, below /api/v1; send another one here',
  },
  tokenOfGallery: {
    status: 'denied',
    field: 'Accesstoken',
    sentence: 'this token identifies faces in the gallery {gallery}, and nothing else; send another one here',
  },
  scopesOfGallery: {
    status: 'malformed',
    field: 'scopes',
    sentence:
      'a token of a gallery identifies faces there and has the scope recognise; leave scopes or facegallery_id out',
  },
} as const satisfies Record<string, RefusalRow>;

export const accountPhrases = {
  anotherOne: 'another one',
} as const satisfies Record<string, string>;
