import type { FastifyRequest } from 'fastify';
import type { QuotaService } from '../../services/services.ts';

/** Takes one hit from the client's quota; the envelope gives it back when the server is too busy. */
export async function takeHit(request: FastifyRequest, quotas: QuotaService): Promise<void> {
  if (request.clientId === null) return;
  await quotas.take(request.clientId);
  request.hitTaken = true;
}

/** The same, where the call is answered also when none is left. */
export async function takeHitIfLeft(request: FastifyRequest, quotas: QuotaService): Promise<void> {
  if (request.clientId !== null) request.hitTaken = await quotas.takeIfLeft(request.clientId);
}
