import type { Config } from '../config/config.ts';
import type { Events } from '../events.ts';
import type { TemplateVault } from '../security/vaults/template-vault.ts';
import type { LimitStore } from '../store/memory-limits.ts';
import type { Store } from '../store/store.ts';
import type { Authentication } from './accounts/authentication.ts';
import type { ClientService, QuotaService } from './accounts/clients.ts';
import type { TokenService } from './accounts/tokens.ts';
import type { ActivityService } from './activity/activity.ts';
import type { ActivityRecorder } from './activity/activity-recorder.ts';
import type { AuditService, StatusService } from './activity/status.ts';
import type { Caller } from './caller.ts';
import type { Admission } from './faces/admission.ts';
import type { EnrolmentService, FaceService } from './faces/enrolment.ts';
import type { FaceWriter } from './faces/face-writer.ts';
import type { LivenessProof } from './faces/liveness-proof.ts';
import type { PictureIds } from './faces/picture-ids.ts';
import type { Pictures } from './faces/pictures.ts';
import type { Comparisons } from './galleries/comparisons.ts';
import type { GalleryService } from './galleries/galleries.ts';
import type { LivenessService } from './liveness/liveness.ts';
import type { LivenessSessionService } from './liveness/session.ts';
import type { PeopleService } from './people/people-service.ts';
import type { DetectionService } from './recognition/detection.ts';
import type { DuplicateService } from './recognition/duplicates.ts';
import type { RecognitionService } from './recognition/recognition.ts';
import type { ClientWebhooks } from './webhooks/client-webhooks.ts';

/** What a profile makes its own services of. */
export interface ProfileParts {
  readonly store: Store;
  readonly vault: TemplateVault;
  readonly config: Config;
  readonly events: Events;
  readonly pictures: Pictures;
  readonly comparisons: Comparisons;
  readonly admission: Admission;
  readonly liveness: LivenessProof;
  readonly writer: FaceWriter;
  readonly pictureIds: PictureIds;
}

/** What the HTTP app needs. The app does not close it. */
export interface AppServices {
  readonly accounts: Authentication;
  readonly clients: ClientService;
  readonly galleries: GalleryService;
  readonly duplicates: DuplicateService;
  readonly tokens: TokenService;
  readonly activity: ActivityService;
  readonly status: StatusService;
  readonly audit: AuditService;
  readonly enrolment: EnrolmentService;
  readonly faces: FaceService;
  readonly people: PeopleService;
  readonly clientWebhooks: ClientWebhooks;
  readonly recognition: RecognitionService;
  readonly detection: DetectionService;
  readonly liveness: LivenessService;
  readonly livenessSessions: LivenessSessionService;
  readonly parts: ProfileParts;
  readonly quotas: QuotaService;
  readonly events: Pick<Events, 'refused' | 'registry'>;
  readonly recorder: Pick<ActivityRecorder, 'record' | 'settled'>;
  /** Refuses a call with pictures before its body is read. @throws Refusal `busy` */
  requireRoom(caller: Pick<Caller, 'clientId' | 'operation'>): void;
  /** Counters of the rate limits. */
  readonly limits: LimitStore;
  /** Whether the similarities of a call are of a provisional calibration. */
  calibrationNote(clientId: string | null, galleryId: string | null): Promise<'provisional' | null>;
  /** Public keys of the token issuer (RFC 7517). */
  jwks(): Promise<{ keys: object[] }>;
  /** Named checks; ready when all are true. Workers of the engine, and how many were replaced. Notices tell what an operator should improve. */
  ready(): Promise<{
    ready: boolean;
    checks: Readonly<Record<string, boolean>>;
    workers: Readonly<Record<'configured' | 'alive' | 'restarts', number>>;
    notices: readonly string[];
  }>;
}
