import type { AccountAdministration } from '../services/accounts/account-administration.ts';
import type { GalleryAdministration } from '../services/galleries/gallery-administration.ts';
import { packName } from '../services/galleries/lookup.ts';
import type { ClientRecord, GalleryRecord } from '../store/store.ts';
import type { ApiTokenRecord } from '../store/token-store.ts';
import type { carryOperations } from './migration-operations.ts';
import type {
  AdminOperations,
  Amounts,
  ApiTokenSummary,
  ClientSummary,
  GallerySummary,
} from './operations.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** The operations of the process that owns the data directory. */
export function directOperations(
  accounts: AccountAdministration,
  galleries: GalleryAdministration,
  carry: ReturnType<typeof carryOperations>,
): AdminOperations {
  return {
    ...carry,
    createClient: ({ clientId, password, quota, operator = false }) =>
      accounts.create({
        ...{ clientId, operator },
        quota: given(quota),
        ...(password === undefined ? {} : { password }),
      }),
    listClients: async () => (await accounts.list()).map(clientSummary),
    setQuota: async ({ clientId, quota }) => {
      await accounts.setQuota(clientId, given(quota));
      return null;
    },
    setOperator: async ({ clientId, operator }) => {
      await accounts.setOperator(clientId, operator);
      return null;
    },
    deleteClient: ({ clientId }) => accounts.remove(clientId),
    createToken: async ({ clientId, name, days, scopes }) => {
      const expires = days === null ? null : new Date(Date.now() + days * dayMs);
      const { id, token, expiresAt } = await accounts.createApiToken(clientId, name, expires, scopes);
      return { id, token, expiresAt: expiresAt?.toISOString() ?? null };
    },
    listTokens: async ({ clientId }) => (await accounts.listApiTokens(clientId)).map(tokenSummary),
    revokeToken: async ({ token }) => {
      await accounts.revokeApiToken(token);
      return null;
    },
    listGalleries: async ({ clientId }) => (await galleries.list(clientId)).map(gallerySummary),
    installCalibration: async ({ clientId, galleryId, calibration }) => {
      await galleries.installCalibration(clientId, galleryId, calibration && JSON.stringify(calibration));
      return null;
    },
    setGalleryLiveness: async ({ clientId, galleryId, required }) => {
      await galleries.requireLiveness(clientId, galleryId, required);
      return null;
    },
    setGalleryThreshold: async ({ clientId, galleryId, threshold }) => {
      await galleries.setThreshold(clientId, galleryId, threshold);
      return null;
    },
  };
}

/** Only the amounts that were named. */
function given(quota: { [N in keyof Amounts]?: number | undefined }): Partial<Amounts> {
  return Object.fromEntries(Object.entries(quota).filter(([, value]) => value !== undefined));
}

function clientSummary({
  clientId,
  createdAt,
  registeredAt,
  operator,
  quota,
  used,
}: ClientRecord): ClientSummary {
  return {
    clientId,
    createdAt: createdAt.toISOString(),
    registeredAt: registeredAt?.toISOString() ?? null,
    operator,
    quota,
    used,
  };
}

function tokenSummary({
  id,
  name,
  scopes,
  createdAt,
  expiresAt,
  revokedAt,
}: ApiTokenRecord): ApiTokenSummary {
  return {
    id,
    name,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
    scopes: scopes && [...scopes],
  };
}

function gallerySummary(gallery: GalleryRecord): GallerySummary {
  const { galleryId, faces, createdAt, threshold, embeddingSpec: contract, curve, requireLiveness } = gallery;
  return {
    galleryId,
    faces,
    createdAt: createdAt.toISOString(),
    threshold,
    pack: contract === null ? null : packName(contract),
    calibrated: curve !== null,
    requireLiveness,
  };
}
