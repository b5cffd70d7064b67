import { type Endpoint, endpoints } from '@wajah/contract';
import { ordinaryScopes } from '@wajah/contract/values';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../errors.ts';
import { bindingText } from '../../services/accounts/bindings.ts';
import type { AccountService, Identity, QuotaService } from '../../services/accounts/ports.ts';
import type { Scheduler } from '../../services/scheduling/ports.ts';
import { memoryLimits } from '../../store/memory-limits.ts';
import type { TokenBinding } from '../../store/ports/tokens.ts';
import { networkOf } from '../connections/connections.ts';
import { endpointOf } from './request-state.ts';

/** What admits a call before its body is read. */
export interface CallAdmission {
  readonly quotas: QuotaService;
  readonly scheduler: Pick<Scheduler, 'requireRoom'>;
}

/** The token of a request: header `Accesstoken`, or `Authorization: Bearer`; undefined when there is none. */
export function tokenOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const given = headers['accesstoken'];
  const own = (typeof given === 'string' ? given : '').trim().replace(/^Bearer\s+/i, '');
  if (own !== '') return own;
  return /^Bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];
}

/** @throws Refusal `denied` when the token lacks the scope of the endpoint */
function requireScope(request: FastifyRequest): void {
  const needed = endpointOf(request)?.scope ?? null;
  if (needed === null) return;
  const held: readonly string[] = request.scopes ?? ordinaryScopes;
  if (held.includes(needed)) return;
  throw new Refusal('scopeMissing', { needed, held: held.join(', ') || 'none' });
}

/** A hook that sets client and scopes of a request. */
export type RequireToken = ReturnType<typeof requireTokenOf>;

/** Whose token it is; refused ones are limited for each network. @throws Refusal `unauthorized` | `tooManyRequests` */
export type Identify = ReturnType<typeof createIdentify>;

/** Refused tokens of one network in a minute, as a share of the calls of a client. */
const badTokenShare = 0.1;

/**
 * Refused tokens are limited for each network at this server; valid ones are accepted in any case, since many clients
 * may share an address.
 * @param callsPerMinute rate limit of a client
 */
export function createIdentify(accounts: Pick<AccountService, 'authenticate'>, callsPerMinute: number) {
  const limits = memoryLimits();
  const most = Math.ceil(callsPerMinute * badTokenShare);
  const limitBadTokens = async (error: unknown, address: string): Promise<never> => {
    if (!(error instanceof Refusal) || error.status !== 'unauthorized') throw error;
    const { count, waitMs } = await limits.increment(networkOf(address), most, 60_000);
    if (count <= most) throw error;
    const seconds = Math.ceil(waitMs / 1000);
    throw new Refusal('tooManyBadTokens', { most, seconds }, { retry_after: seconds });
  };
  return (token: string, address: string): Promise<Identity> =>
    accounts.authenticate(token).catch((error: unknown) => limitBadTokens(error, address));
}

/** @returns the gallery that the call has to name @throws Refusal `denied` when the token is for something else */
function boundGallery(binding: TokenBinding, endpoint: Endpoint | undefined): string {
  if (binding.service !== 'gallery') throw new Refusal('tokenBound', { binding: bindingText(binding) });
  const gallery = binding.galleryId ?? '';
  if (endpoint?.id !== endpoints.identifyFace.id) throw new Refusal('tokenOfGallery', { gallery });
  return gallery;
}

/** Refuses a call for another gallery than that of its token. @throws Refusal `denied` */
export function requireBoundGallery({ boundGallery: gallery, subject }: FastifyRequest): void {
  if (gallery !== null && gallery !== subject.galleryId) throw new Refusal('tokenOfGallery', { gallery });
}

/** A hook that requires a valid token of the service's own interface before the body is read. */
export function requireTokenOf(identify: Identify) {
  const check = checkTokenOf(identify);
  return (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    check(request, reply, tokenOf(request));
}

/** As the hook does, of a token that stands elsewhere. */
export function checkTokenOf(identify: Identify) {
  return async (request: FastifyRequest, reply: FastifyReply, token: string | undefined): Promise<void> => {
    if (token === undefined) throw new Refusal('tokenMissing');
    // RFC 6750, section 3.1: the error of a token that was sent.
    reply.header('www-authenticate', 'Bearer error="invalid_token"');
    const { clientId, scopes, binding, sessionId = null } = await identify(token, request.ip);
    request.clientId = clientId;
    request.sessionId = sessionId;
    request.scopes = scopes;
    reply.removeHeader('www-authenticate');
    if (binding) request.boundGallery = boundGallery(binding, endpointOf(request));
    if (sessionId !== null && !endpointOf(request)?.hosted) throw new Refusal('sessionSecret');
    requireScope(request);
  };
}

/**
 * Takes one hit from the client's quota; the envelope returns it when the call is refused as busy. `settleHit` is to be
 * awaited before the answer. @throws Refusal `denied` when none remains
 */
export async function takeHit(request: FastifyRequest, quotas: QuotaService): Promise<void> {
  await takeHitIfLeft(request, quotas);
  if (request.clientId !== null && request.hit === null) throw new Refusal('callQuotaUsedUp');
}

/** As `takeHit`, for calls that are answered also when the quota is used up. */
export async function takeHitIfLeft(request: FastifyRequest, quotas: QuotaService): Promise<void> {
  const { clientId } = request;
  const endpoint = endpointOf(request);
  // Calls without pictures are answered at once: to count them later would only make the turns of the loop more.
  const later = endpoint?.repeatable === true && endpoint.pictures > 0;
  if (clientId !== null) request.hit = await quotas.take(clientId, later);
}

/** The hit of a call that was served is counted. @throws Refusal `denied` when other servers have used up the quota meanwhile */
export async function settleHit(request: FastifyRequest): Promise<void> {
  if (request.hit === null || (await request.hit.counted())) return;
  request.hit = null;
  if (endpointOf(request)?.hit === 'before') throw new Refusal('callQuotaUsedUp');
}
