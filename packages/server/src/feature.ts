import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Config } from './config/config.ts';
import type { EventSubscriber } from './events/ports.ts';
import type { Mount } from './http/routes/ports.ts';
import type { OpenSite } from './http/routes/site-ports.ts';
import type { OpenWire } from './http/routes/wire-ports.ts';
import type { Command } from './operations/command.ts';
import type { Outputs } from './operations/output.ts';
import type { RequireOperator } from './services/accounts/ports.ts';
import type { Admission, EnrolmentService, FaceWriter, PersonTraces } from './services/faces/ports.ts';
import type { Comparisons } from './services/galleries/ports.ts';
import type { EnrolmentOf, LivenessSessionService } from './services/liveness/ports.ts';
import type { ServiceParts } from './services/parts.ts';
import type { Unidentified } from './services/recognition/ports.ts';
import type { GalleryRecord } from './store/ports/galleries.ts';
import type { Store } from './store/ports/store.ts';

/** What the code of a feature is opened with. */
export interface FeatureParts {
  readonly config: Config;
  readonly store: Store;
  readonly masterKey: Uint8Array;
  readonly registry: Registry;
  readonly logger: Logger;
  /** Of tests, by the feature's name: it says what is in it. */
  readonly overrides: Readonly<Record<string, object | undefined>>;
}

/** What the endpoints of features are made of. */
export interface FeatureCore
  extends ServiceParts<'config' | 'store' | 'vault' | 'matcher' | 'events' | 'engine' | 'scheduler'> {
  readonly comparisons: Comparisons;
  readonly requireOperator: RequireOperator;
  readonly traces: readonly PersonTraces[];
  readonly admission: Admission;
  readonly writer: FaceWriter;
  readonly enrolment: EnrolmentService;
  readonly livenessSessions: LivenessSessionService;
  readonly features: readonly Pick<OpenFeature, 'category'>[];
}

/** A feature that is open in this process. */
export interface OpenFeature {
  readonly subscriber?: EventSubscriber | undefined;
  readonly traces?: PersonTraces;
  /** What it makes of faces that are not identified. */
  unidentified?(core: FeatureCore): Unidentified;
  /** Whom it enrols when a session passes. */
  readonly enrolmentOf?: EnrolmentOf;
  /** What the records of processing say of what it keeps of others than enrolled people. @param galleries of a client */
  category?(galleries: readonly GalleryRecord[]): PersonTraces['category'];
  /** Begins what it does with services besides its endpoints; once. */
  begin?(core: FeatureCore): void;
  /** Mounts its endpoints, in each app. */
  mount(mount: Mount, core: FeatureCore): void;
  /** What it serves besides endpoints, on the network. */
  readonly site?: OpenSite | undefined;
  /** The interface of another service that it serves. */
  readonly wire?: OpenWire | undefined;
  /** Ends its work. Resolves when what it took is written. */
  close?(): Promise<void>;
}

/** A feature. What it declares for the tables of the core stands in the lists of `features`. */
export interface Feature {
  /** Commands besides those of its endpoints, and what these print besides their answers. */
  readonly commands?: {
    readonly own: readonly Command[];
    readonly outputs?: Outputs;
  };
  /** Loads and opens its code; absent: it has commands alone. */
  open?(parts: FeatureParts): Promise<OpenFeature>;
}
