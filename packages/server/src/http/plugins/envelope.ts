import { type StatusName, statuses } from '@wajah/contract';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import {
  DamagedRow,
  GalleryKeyError,
  OperatorError,
  Refusal,
  SealError,
  StoreUnavailable,
} from '../../errors.ts';
import type { Events } from '../../events/table.ts';
import { nothingObserved, type Observed } from '../observed.ts';
import { scaleOf } from '../scales.ts';
import { endpointOf, isDisconnected } from './request-state.ts';

/** Default of the Retry-After header, seconds. */
const retryAfter: Partial<Record<StatusName, number>> = { busy: 1, tooManyRequests: 60 };

/** RFC 6749, section 5.2. */
const oauthError: Partial<Record<StatusName, string>> = {
  malformed: 'invalid_request',
  unauthorized: 'invalid_client',
  serverError: 'server_error',
};

interface EnvelopeOptions {
  readonly events: Pick<Events, 'observe' | 'rowDamaged'>;
}

/** Answers every error with a row of the status table, and returns the hit of a call that is refused as busy or too many. */
export const envelope = plugin(
  async (app: FastifyInstance, { events }: EnvelopeOptions) => {
    app.addHook('onSend', (request, reply, payload, done) => {
      reply.header('x-trx-id', headerText(request.trxId));
      done(null, payload);
    });
    app.setErrorHandler(async (error: FastifyError, request, reply) => {
      const refusal = toRefusal(error, request, reply);
      request.refusal = refusal;
      request.observed = observedIn(refusal);
      const { trxId, clientId, isOperator } = request;
      const endpoint = endpointOf(request);
      if (refusal.status === 'serverError') app.log.error({ trx_id: trxId, err: error }, 'unexpected error');
      if (error instanceof StoreUnavailable)
        app.log.warn({ trx_id: trxId, reason: error.message }, 'the store is not available');
      if (error instanceof DamagedRow) events.rowDamaged(error);
      else if (error instanceof SealError)
        app.log.error({ trx_id: trxId, reason: error.message }, 'what is stored does not open');
      if (endpoint !== undefined && endpoint.auth !== 'none' && !isDisconnected(reply)) {
        const facts = { refusal: refusal.status, route: endpoint.path };
        await events.observe('refused', { trxId, clientId, isOperator }, facts, request.subject);
      }
      await endHit(request, reply, refusal);
      setHeaders(refusal, request, reply);
      return reply.code(statuses[refusal.status].http).send(refusalBody(refusal, request));
    });
  },
  { name: 'envelope', dependencies: ['request-state'] },
);

/** A refusal may state how similar the faces are. */
function observedIn({ fields: { similarity } }: Refusal): Observed {
  if (typeof similarity !== 'number') return nothingObserved;
  return { ...nothingObserved, similarity };
}

function toRefusal(error: FastifyError, { isOperator }: FastifyRequest, reply: FastifyReply): Refusal {
  if (error instanceof Refusal) return error;
  // What the operator must repair is told to nobody else.
  if (isOperator && error instanceof OperatorError)
    return new Refusal('operatorTold', { reason: error.message });
  if (error instanceof StoreUnavailable) return new Refusal('storeUnavailable', { reason: error.message });
  if (isDisconnected(reply)) return new Refusal('disconnected');
  if (error instanceof GalleryKeyError) return new Refusal('galleryDamaged');
  if (error instanceof DamagedRow) return new Refusal('rowDamaged', { place: error.place });
  if (error instanceof SealError) return new Refusal('storedDamaged');
  const isClientError =
    typeof error?.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500;
  if (isClientError && error.code?.startsWith('FST_'))
    return new Refusal('requestMalformed', { reason: error.message });
  return new Refusal('serverError');
}

/**
 * A hit is returned when the call is refused as busy or too many, or before its body was read, but not that of a
 * disconnected client: its call was served.
 */
async function endHit(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, fields }: Refusal,
): Promise<void> {
  const { hit, trxId } = request;
  request.hit = null;
  if (hit === null || isDisconnected(reply)) return;
  const isReturned = status === 'busy' || status === 'tooManyRequests' || fields['unread'] === true;
  await (isReturned ? hit.giveBack() : hit.counted()).catch((error: unknown) => {
    const what = isReturned ? 'the hit was not returned' : 'the hit was not counted';
    request.server.log.error({ trx_id: trxId, err: error }, what);
  });
}

function setHeaders({ status, fields }: Refusal, request: FastifyRequest, reply: FastifyReply): void {
  const wait = fields['retry_after'] ?? retryAfter[status];
  if (wait !== undefined && !reply.hasHeader('retry-after')) reply.header('retry-after', String(wait));
  if (status === 'unauthorized' && !reply.hasHeader('www-authenticate')) {
    const byPassword = endpointOf(request)?.auth === 'credentials';
    reply.header('www-authenticate', byPassword ? 'Basic realm="wajah"' : 'Bearer');
  }
}

function refusalBody(refusal: Refusal, request: FastifyRequest): Record<string, unknown> {
  const { code, params, status: row, detail, fields } = refusal;
  const { status, message } = statuses[row];
  // Sent as headers, or by the profile of another service only, or said by the similarity.
  const { retry_after: _, unread: __, masked: ___, own_threshold: own, ...further } = fields;
  const { similarity } = further;
  const compared =
    typeof own === 'number' && typeof similarity === 'number'
      ? { similarity: scaleOf(request).of(similarity, own) }
      : {};
  // RFC 6749 gives `error` other values.
  const told =
    endpointOf(request)?.auth === 'credentials'
      ? {
          error: oauthError[row] ?? 'temporarily_unavailable',
          error_description: detail,
          error_code: code,
        }
      : { error: code };
  return {
    status,
    status_message: message,
    ...told,
    params,
    ...further,
    ...compared,
    detail,
    trx_id: request.trxId,
  };
}

/** Header values are printable ASCII; the rest is percent-encoded. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, encodeURIComponent);
}
