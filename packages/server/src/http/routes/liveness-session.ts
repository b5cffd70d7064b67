import { endpoints, sessionSteps } from '@wajah/contract';
import type { AppServices } from '../../services/app-services.ts';
import { openedView, verdictView } from '../views/liveness-session.ts';
import { namedUser } from './liveness.ts';
import type { Mount } from './mount.ts';

export function livenessSessionRoutes(
  mount: Mount,
  { livenessSessions }: Pick<AppServices, 'livenessSessions'>,
): void {
  mount(endpoints.createLivenessSession, async (caller, request) => {
    const { steps = sessionSteps.byDefault } = request;
    return openedView(await livenessSessions.open(caller, { user: namedUser(request), steps }));
  });

  mount(endpoints.submitLivenessSession, async (caller, { session_id: sessionId, nonce, frames }) =>
    verdictView(
      await livenessSessions.submit(caller, {
        sessionId,
        nonce,
        frames: frames.map(({ step, image = null, captured_at: at }) => ({
          step,
          image,
          capturedAt: at === undefined ? undefined : new Date(at),
        })),
      }),
    ),
  );
}
