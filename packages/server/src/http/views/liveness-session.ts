import { cutFraction } from '@wajah/contract';
import type { OpenedSession, SessionVerdict } from '../../services/services.ts';
import { attributesView } from './attributes.ts';

export function openedView({ sessionId, steps, nonce, expiresAt, expiresIn, frontAngle }: OpenedSession) {
  return {
    session_id: sessionId,
    steps: [...steps],
    nonce,
    expires_at: expiresAt.toISOString(),
    expires_in: expiresIn,
    front_angle: frontAngle,
  };
}

export function verdictView({ liveness, verified, reasons, results, token }: SessionVerdict) {
  return {
    liveness,
    ...(verified && { verified: verified.holds, similarity: cutFraction(verified.similarity) }),
    ...(reasons.length === 0 ? {} : { reasons }),
    results: results.map(attributesView),
    ...(token && { liveness_token: token.text, expires_in: token.expiresIn }),
  };
}
