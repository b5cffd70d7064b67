import type { Scope } from '@wajah/contract';
import { OperatorError, Refusal } from '../../errors.ts';
import type { Store } from '../../store/ports/store.ts';
import type { TokenBinding } from '../../store/ports/tokens.ts';

/** The scopes that a service needs; a token may be given fewer. */
const scopesOfService: Readonly<Record<TokenBinding['service'], readonly Scope[]>> = {
  gallery: ['recognise'],
  recognition: ['recognise', 'enrol', 'read', 'pictures'],
  detection: ['recognise'],
  verification: ['recognise'],
};

/**
 * Checks what a new token shall be bound to.
 * @param scopes default: those that the service needs
 * @returns the scopes of the token
 * @throws Refusal `galleryNotFound` | `malformed` for a token of a gallery; OperatorError for others when the gallery is missing or superfluous, or a scope is of no use to the service
 */
export async function requireBinding(
  store: Pick<Store, 'galleries'>,
  clientId: string,
  { service, galleryId }: TokenBinding,
  scopes: readonly Scope[] | undefined,
): Promise<readonly Scope[]> {
  if (service === 'gallery') {
    if (!(await store.galleries.get(clientId, galleryId ?? ''))) throw new Refusal('galleryNotFound');
    if (scopes) throw new Refusal('scopesOfGallery');
  } else if (service === 'recognition') {
    if (galleryId === null) throw new OperatorError('gallery: a recognition service needs one; name it');
    if (!(await store.galleries.get(clientId, galleryId))) {
      throw new OperatorError(
        `gallery: the client ${clientId} has none named ${JSON.stringify(galleryId)}; list its galleries or create it first`,
      );
    }
  } else if (galleryId !== null) {
    throw new OperatorError(`gallery: a ${service} service has none; leave it out`);
  }
  const useful = scopesOfService[service];
  const useless = scopes?.find((scope) => !useful.some((one) => one === scope));
  if (useless !== undefined) {
    throw new OperatorError(
      `scopes: a ${service} service has no use for ${useless}; allowed: ${useful.join(', ')}`,
    );
  }
  return scopes ?? useful;
}

/** What a token is bound to, in words. */
export function bindingText({ service, galleryId }: TokenBinding): string {
  return `CompreFace ${service}${galleryId === null ? '' : ` of ${galleryId}`}`;
}
