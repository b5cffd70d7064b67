import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../errors.ts';
import type { TokenBinding } from '../../store/token-store.ts';
import { failure } from '../compreface-errors.ts';
import type { Identify } from '../plugins/auth.ts';
import type { ComprefaceEndpoint } from './endpoints.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The gallery that the key of a call is bound to. */
    boundGallery: string;
  }
}

/** Characters of a key that an error shows. */
const shown = 8;

/**
 * A hook that requires a key of the endpoint's service, before the body is read. The key is an API token that is bound to
 * the service.
 */
export function requireKeyOf(identify: Identify, endpoint: ComprefaceEndpoint) {
  return async (request: FastifyRequest): Promise<void> => {
    const key = keyOf(request);
    if (key === undefined) throw failure('missingHeader', 'Missing header: x-api-key', 'unauthorized');
    const { clientId, scopes, binding } = await identify(key, request.ip).catch((error: unknown) => {
      if (error instanceof Refusal && error.status === 'unauthorized') throw notFound(endpoint.service, key);
      throw error;
    });
    if (binding?.service !== endpoint.service) throw notFound(endpoint.service, key);
    request.clientId = clientId;
    request.scopes = scopes;
    request.boundGallery = binding.galleryId ?? '';
    request.subject = { userId: null, galleryId: binding.galleryId };
    if (scopes?.includes(endpoint.scope)) return;
    const held = scopes?.join(', ') ?? 'none';
    throw new Refusal('denied', `x-api-key: the scope ${endpoint.scope} is needed here, the key has ${held}`);
  };
}

function keyOf({ headers, params }: FastifyRequest): string | undefined {
  const inPath = (params as { api_key?: string } | undefined)?.api_key;
  const given = inPath ?? headers['x-api-key'];
  const key = (typeof given === 'string' ? given : '').trim();
  return key === '' ? undefined : key;
}

const names: Readonly<Record<TokenBinding['service'], string>> = {
  recognition: 'Recognition',
  detection: 'Detection',
  verification: 'Verification',
};

/** CompreFace shows the whole key; an answer may be logged. */
function notFound(service: TokenBinding['service'], key: string): Refusal {
  const start = key.slice(0, Math.min(shown, Math.floor(key.length / 2)));
  return failure(
    'serviceNotFound',
    `${names[service]} service with API Key ${start}… not found`,
    'unauthorized',
  );
}
