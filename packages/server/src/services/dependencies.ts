import type { Parameter } from '@wajah/contract';
import type { Engine } from '@wajah/engine';
import type { Config } from '../config/config.ts';
import type { Events } from '../events.ts';
import type { FrameIndex } from '../matching/frames/frame-index.ts';
import type { Matcher } from '../matching/matcher.ts';
import type { LivenessTokens } from '../security/tokens/liveness-tokens.ts';
import type { FrameVault, SessionVault } from '../security/vaults/row-vaults.ts';
import type { TemplateVault } from '../security/vaults/template-vault.ts';
import type { Store } from '../store/store.ts';
import type { FaceEraser } from './faces/face-eraser.ts';
import type { FaceWriter } from './faces/face-writer.ts';
import type { PictureIds } from './faces/picture-ids.ts';
import type { Cohorts } from './galleries/cohorts.ts';
import type { SessionRecorder } from './recordings/recorder.ts';
import type { Scheduler } from './scheduling/scheduler.ts';

/** What services are created from. Services do not close it. */
export interface ServiceDependencies {
  readonly store: Store;
  readonly engine: Engine;
  readonly scheduler: Pick<Scheduler, 'run' | 'load' | 'untilDeadline'>;
  readonly matcher: Matcher;
  readonly cohorts: Pick<Cohorts, 'renewIfStale' | 'renew' | 'faceErased'>;
  readonly writer: FaceWriter;
  readonly eraser: FaceEraser;
  readonly pictureIds: PictureIds;
  readonly vault: TemplateVault;
  readonly sessionVault: SessionVault;
  readonly frameVault: FrameVault;
  readonly frameIndex: FrameIndex;
  readonly livenessTokens: LivenessTokens;
  readonly events: Events;
  readonly recordings: Pick<SessionRecorder, 'record' | 'erase' | 'listOf'>;
  readonly config: Config;
  /** Draws the steps of a challenge with this number of random steps; undefined: the random draw of the service. */
  readonly drawSteps?: ((count: number) => Parameter[]) | undefined;
}
