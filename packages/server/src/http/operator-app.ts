import type { OwnEndpoint } from '@wajah/contract';
import { scopes } from '@wajah/contract/values';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { Refusal } from '../errors.ts';
import type { Events } from '../events/table.ts';
import { requireClient } from '../services/accounts/clients.ts';
import type { Hit } from '../services/accounts/ports.ts';
import type { Store } from '../store/ports/store.ts';
import { fastifyOptions } from './fastify-options.ts';
import { type CalibrationOptions, calibration } from './plugins/answers.ts';
import type { CallAdmission } from './plugins/auth.ts';
import { body } from './plugins/body.ts';
import { envelope } from './plugins/envelope.ts';
import { callEvents, traces } from './plugins/observation.ts';
import { endpointOf, requestState } from './plugins/request-state.ts';
import { longLists } from './plugins/rows.ts';
import { unroutedRequests } from './plugins/unrouted.ts';
import { type ClientRoutes, mountClientRoutes } from './routes/client-routes.ts';
import { installationRoutes } from './routes/installation.ts';
import { createMount } from './routes/mount.ts';

/** What the app takes from the context. It closes none of it. */
export type OperatorServices = ClientRoutes &
  Parameters<typeof installationRoutes>[1] &
  CalibrationOptions & {
    readonly store: Pick<Store, 'clients'>;
    readonly events: Events;
  };

/**
 * The endpoints for the operator of the installation, who need not prove who it is: the app listens on a socket that no
 * other user opens, or is called without one by a command. The header `X-Client` names the client that a call is made
 * for. No call is limited in rate or counted against a quota of calls; what a client may store is.
 */
export async function buildOperatorApp(
  services: OperatorServices,
  { config, logger }: { config: Config; logger: Logger },
): Promise<FastifyInstance> {
  const app = Fastify({ ...fastifyOptions(config, logger), forceCloseConnections: true });
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  await app.register(requestState);
  await app.register(traces, { tracer: null });
  await app.register(envelope, { events: services.events });
  await app.register(unroutedRequests, {});
  await app.register(callEvents, { events: services.events, byOperator: true });
  await app.register(body, config.limits);
  await app.register(calibration, services);
  await app.register(longLists);
  const options = { imageBytes: config.limits.imageBytes, prefix: '', forOperator: true };
  const mount = createMount(app, unlimited, actAs(services.store), options);
  mountClientRoutes(mount, services);
  installationRoutes(mount, services);
  await app.ready();
  return app;
}

const noHit: Hit = { counted: async () => true, giveBack: async () => {} };

/** Calls of the operator are none of the client's; pictures are admitted when the engine analyses them. */
const unlimited: CallAdmission = {
  quotas: { take: async () => noHit, settled: async () => {} },
  scheduler: { requireRoom: () => {} },
};

/** A hook that lets the operator act for the client that the header names. */
function actAs(store: Pick<Store, 'clients'>) {
  return async (request: FastifyRequest): Promise<void> => {
    request.isOperator = true;
    request.scopes = scopes;
    const { scope, operator } = endpointOf(request) as OwnEndpoint;
    if (scope === 'operate') return;
    const clientId = request.headers['x-client'];
    if (typeof clientId === 'string' && clientId !== '')
      request.clientId = (await requireClient(store, clientId)).clientId;
    else if (operator?.client !== 'optional') throw new Refusal('clientNotNamed');
  };
}
