import type { Events } from '../events.ts';
import type { LimitStore } from '../store/store.ts';
import type { TokenService } from './accounts/tokens.ts';
import type { ActivityService } from './activity/activity.ts';
import type { ActivityRecorder } from './activity/activity-recorder.ts';
import type { StatusService } from './activity/status.ts';
import type { FaceCropService } from './enrolment/face-crops.ts';
import type { GalleryDescriptions } from './galleries/gallery-descriptions.ts';
import type { DetectionService } from './pictures/detection.ts';
import type {
  AccountService,
  ClientService,
  EnrolmentService,
  GalleryService,
  LivenessService,
  LivenessSessionService,
  QuotaService,
  RecognitionService,
} from './services.ts';

/** What the routes call. Whoever makes it closes it, after the app. */
export interface AppServices {
  readonly accounts: Pick<AccountService, 'login' | 'authenticate' | 'revoke'>;
  readonly clients: ClientService;
  readonly galleries: GalleryService;
  readonly galleryDescriptions: GalleryDescriptions;
  readonly tokens: TokenService;
  readonly activity: ActivityService;
  readonly status: StatusService;
  readonly enrolment: EnrolmentService;
  readonly recognition: RecognitionService;
  readonly detection: DetectionService;
  readonly faceCrops: FaceCropService;
  readonly liveness: LivenessService;
  readonly livenessSessions: LivenessSessionService;
  readonly quotas: QuotaService;
  readonly events: Pick<Events, 'refused' | 'registry'>;
  /** How much the server has to do, and what galleries in memory take. */
  load(): Readonly<Record<'workers' | 'running' | 'queued' | 'galleries' | 'galleryBytes', number>>;
  /** Keeps what was called. */
  readonly recorder: Pick<ActivityRecorder, 'record' | 'settled'>;
  /** Counts calls. */
  readonly limits: LimitStore;
  /** Public keys of the token issuer (RFC 7517). */
  jwks(): Promise<{ keys: object[] }>;
  /** Named checks; ready when all hold. */
  ready(): Promise<{ ready: boolean; checks: Readonly<Record<string, boolean>> }>;
}
