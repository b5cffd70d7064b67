import type { Events } from '../events.ts';
import type { LimitStore } from '../store/store.ts';
import type { DetectionService } from './detection.ts';
import type { FaceCropService } from './face-crops.ts';
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
  readonly enrolment: EnrolmentService;
  readonly recognition: RecognitionService;
  readonly detection: DetectionService;
  readonly faceCrops: FaceCropService;
  readonly liveness: LivenessService;
  readonly livenessSessions: LivenessSessionService;
  readonly quotas: QuotaService;
  readonly events: Pick<Events, 'refused'>;
  /** Counts calls. */
  readonly limits: LimitStore;
  /** Public keys of the token issuer (RFC 7517). */
  jwks(): Promise<{ keys: object[] }>;
  /** Named checks; ready when all hold. */
  ready(): Promise<{ ready: boolean; checks: Readonly<Record<string, boolean>> }>;
}
