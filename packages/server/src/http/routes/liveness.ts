import { cutFraction, endpoints } from '@wajah/contract';
import type { LivenessService } from '../../services/liveness/liveness.ts';
import type { LivenessSessionService } from '../../services/liveness/session.ts';
import { attributesView } from '../views/faces.ts';
import { observedBatch, observedPicture, observedSession } from '../views/observed.ts';
import type { Mount } from './mount.ts';

/** Liveness of a picture, of a batch, and in a session. */
export function livenessRoutes(
  mount: Mount,
  {
    liveness,
    livenessSessions,
  }: { readonly liveness: LivenessService; readonly livenessSessions: LivenessSessionService },
): void {
  mount(endpoints.verifyLiveness, liveness.single, {
    view: ({ confidence, verified, matchStatus, results, ...answer }) => ({
      ...answer,
      confidence_level: cutFraction(confidence),
      ...(verified === undefined ? {} : { verified }),
      match_status: matchStatus,
      results: attributesView(results),
    }),
    observe: observedPicture,
  });

  mount(endpoints.verifyLivenessBatch, liveness.batch, {
    view({ reasons, results, ...answer }) {
      const entries = results.map((entry, index) => [`image${index + 1}`, attributesView(entry)]);
      return { ...answer, ...reasonsView(reasons), results: Object.fromEntries(entries) };
    },
    observe: (judged, { userId }) => observedBatch(judged, userId !== undefined),
  });

  mount(endpoints.createLivenessSession, async (caller, request) => {
    const { steps, nonce, light, lightRequired, ...session } = await livenessSessions.open(caller, request);
    return {
      session_id: session.sessionId,
      steps,
      nonce,
      expires_at: session.expiresAt.toISOString(),
      expires_in: session.expiresIn,
      front_angle: session.frontAngle,
      ...(light && { light, light_required: lightRequired }),
    };
  });

  mount(endpoints.sendLivenessFrame, async (caller, request) => ({
    digest: await livenessSessions.sendFrame(caller, request),
  }));

  mount(endpoints.submitLivenessSession, livenessSessions.submit, {
    view: sessionView,
    observe: observedSession,
  });
}

type JudgedSession = Awaited<ReturnType<LivenessSessionService['submit']>>;

function sessionView(judged: JudgedSession) {
  const { liveness, light, verified, reasons, diagnostics, results, token } = judged;
  return {
    liveness,
    light,
    ...(verified && { verified: verified.holds, similarity: cutFraction(verified.similarity) }),
    ...reasonsView(reasons),
    diagnostics,
    results: results.map(attributesView),
    ...(token && { liveness_token: token.text, expires_in: token.expiresIn }),
  };
}

function reasonsView(reasons: string[]) {
  return reasons.length === 0 ? {} : { reasons };
}
