import { cutFraction, endpoints } from '@wajah/contract';
import type { AppServices } from '../../services/app-services.ts';
import { attributesView } from '../views/attributes.ts';
import type { Mount } from './mount.ts';

/** Liveness of a picture, of a batch, and in a session. */
export function livenessRoutes(
  mount: Mount,
  { liveness, livenessSessions }: Pick<AppServices, 'liveness' | 'livenessSessions'>,
): void {
  mount(endpoints.verifyLiveness, async (caller, request) => {
    const { confidence, verified, matchStatus, results, ...answer } = await liveness.single(caller, request);
    return {
      ...answer,
      confidence_level: cutFraction(confidence),
      ...(verified === undefined ? {} : { verified }),
      match_status: matchStatus,
      results: attributesView(results),
    };
  });

  mount(endpoints.verifyLivenessBatch, async (caller, request) => {
    const { reasons, results, ...answer } = await liveness.batch(caller, request);
    const entries = results.map((entry, index) => [`image${index + 1}`, attributesView(entry)]);
    return { ...answer, ...reasonsView(reasons), results: Object.fromEntries(entries) };
  });

  mount(endpoints.createLivenessSession, async (caller, request) => {
    const { steps, nonce, light, lightRequired, ...session } = await livenessSessions.open(caller, request);
    return {
      session_id: session.sessionId,
      ...{ steps, nonce },
      expires_at: session.expiresAt.toISOString(),
      expires_in: session.expiresIn,
      front_angle: session.frontAngle,
      ...(light && { light, light_required: lightRequired }),
    };
  });

  mount(endpoints.sendLivenessFrame, async (caller, request) => ({
    digest: await livenessSessions.sendFrame(caller, request),
  }));

  mount(endpoints.submitLivenessSession, async (caller, request) => {
    const { verified, reasons, results, token, ...answer } = await livenessSessions.submit(caller, request);
    return {
      ...answer,
      ...(verified && { verified: verified.holds, similarity: cutFraction(verified.similarity) }),
      ...reasonsView(reasons),
      results: results.map(attributesView),
      ...(token && { liveness_token: token.text, expires_in: token.expiresIn }),
    };
  });
}

function reasonsView(reasons: string[]) {
  return reasons.length === 0 ? {} : { reasons };
}
