import { cutFraction, endpoints } from '@wajah/contract';
import type {
  IssuedLivenessToken,
  JudgedSession,
  LivenessService,
  LivenessSessionService,
  OpenedSession,
} from '../../services/liveness/ports.ts';
import type { Scale } from '../scales.ts';
import { attributesView, hintView } from '../views/faces.ts';
import { observedBatch, observedPicture, observedSession } from '../views/observed.ts';
import { wire } from '../views/wire.ts';
import type { Mount } from './ports.ts';

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

  sessionRoutes(mount, livenessSessions);
}

function sessionRoutes(mount: Mount, livenessSessions: LivenessSessionService): void {
  mount(endpoints.createLivenessSession, async (caller, request) => {
    const { nonce, page, ...session } = await livenessSessions.open(caller, request);
    return { ...openedView(session), nonce, ...page };
  });

  mount(endpoints.beginLivenessSession, async (caller, request) =>
    openedView(await livenessSessions.begin(caller, request)),
  );

  mount(endpoints.getLivenessSession, async (caller, request) => {
    const { reasons, token, redirectUrl, ...session } = await livenessSessions.get(caller, request);
    return {
      ...wire(session),
      ...reasonsView(reasons),
      ...tokenView(token),
      ...(redirectUrl && { redirect_url: redirectUrl }),
    };
  });

  mount(endpoints.hintLivenessFrame, async (caller, request) =>
    hintView(await livenessSessions.hint(caller, request)),
  );

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

function openedView({ keepFrame, ...session }: OpenedSession) {
  return { ...wire(session), ...(keepFrame && { keep_frame: true }) };
}

function tokenView(token: IssuedLivenessToken | undefined) {
  return token ? { liveness_token: token.text, expires_in: token.expiresIn } : {};
}

function sessionView(judged: JudgedSession, scale: Scale) {
  const { liveness, verified, detail, reasons, diagnostics, results, token, redirectUrl, triesLeft } = judged;
  // Its page is told neither who it is nor the token.
  const isPage = 'redirectUrl' in judged;
  return {
    liveness,
    ...(verified &&
      !isPage && {
        verified: verified.holds,
        similarity: cutFraction(scale.of(verified.similarity, verified.threshold)),
      }),
    ...(detail !== undefined && { detail }),
    ...reasonsView(reasons),
    diagnostics,
    results: results.map((entry) => attributesView(entry)),
    ...(triesLeft !== undefined && { tries_left: triesLeft }),
    ...(isPage ? redirectUrl && { redirect_url: redirectUrl } : tokenView(token)),
  };
}

function reasonsView(reasons: readonly string[]) {
  return reasons.length === 0 ? {} : { reasons: [...reasons] };
}
