import { cutFraction, endpoints } from '@wajah/contract';
import type { LivenessService } from '../../services/liveness/liveness.ts';
import type { LivenessSessionService } from '../../services/liveness/session.ts';
import type { Scale } from '../scales.ts';
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
    view({ confidence, verified, threshold, matchStatus, results, ...answer }, scale) {
      const { similarity } = results;
      const shown = shownIn(scale, threshold);
      return {
        ...answer,
        confidence_level: cutFraction(confidence * (similarity === undefined ? 1 : shown(similarity))),
        ...(verified === undefined ? {} : { verified }),
        match_status: matchStatus,
        results: attributesView(results, shown),
      };
    },
    observe: observedPicture,
  });

  mount(endpoints.verifyLivenessBatch, liveness.batch, {
    view({ reasons, results, threshold, ...answer }, scale) {
      const shown = shownIn(scale, threshold);
      const entries = results.map((entry, index) => [`image${index + 1}`, attributesView(entry, shown)]);
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

/** @param own threshold of the verification; undefined: the call names no user, and its similarities are 0 */
function shownIn(scale: Scale, own: number | undefined) {
  return (similarity: number) => (own === undefined ? similarity : scale.of(similarity, own));
}

type JudgedSession = Awaited<ReturnType<LivenessSessionService['submit']>>;

function sessionView(judged: JudgedSession, scale: Scale) {
  const { liveness, light, verified, reasons, diagnostics, results, token } = judged;
  return {
    liveness,
    light,
    ...(verified && {
      verified: verified.holds,
      similarity: cutFraction(scale.of(verified.similarity, verified.threshold)),
    }),
    ...reasonsView(reasons),
    diagnostics,
    results: results.map((entry) => attributesView(entry)),
    ...(token && { liveness_token: token.text, expires_in: token.expiresIn }),
  };
}

function reasonsView(reasons: string[]) {
  return reasons.length === 0 ? {} : { reasons };
}
