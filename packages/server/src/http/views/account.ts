import type { ListedToken, TokenService } from '../../services/accounts/tokens.ts';
import type { DescribedGallery } from '../../services/galleries/gallery-descriptions.ts';

type Created = Awaited<ReturnType<TokenService['create']>>;

export function createdTokenView({ token, id, name, scopes, expiresAt }: Created) {
  return {
    token,
    token_id: id,
    name,
    scopes: [...scopes],
    expires_at: expiresAt?.toISOString() ?? null,
  };
}

export function listedTokenView(token: ListedToken) {
  const { id, name, scopes, createdAt, expiresAt, lastUsedAt, revokedAt } = token;
  return {
    token_id: id,
    name,
    scopes: [...scopes],
    created_at: createdAt.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
    ...(lastUsedAt && { last_used_at: lastUsedAt.toISOString() }),
    ...(revokedAt && { revoked_at: revokedAt.toISOString() }),
  };
}

export function galleryView(gallery: DescribedGallery) {
  return {
    facegallery_id: gallery.galleryId,
    n_face: gallery.faces,
    threshold: gallery.threshold,
    verify_threshold: gallery.verifyThreshold,
    identify_threshold: gallery.identifyThreshold,
    require_liveness: gallery.requireLiveness,
    pack: gallery.pack,
    comparable: gallery.comparable,
    created_at: gallery.createdAt.toISOString(),
  };
}
