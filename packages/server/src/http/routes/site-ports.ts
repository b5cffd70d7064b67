import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LivenessSessionService, SessionCaller } from '../../services/liveness/ports.ts';
import type { RecognitionService } from '../../services/recognition/ports.ts';
import type { CallAdmission } from '../plugins/auth.ts';
import type { ProfileParts } from '../plugins/profile.ts';

/** What a site is made from. */
export interface SiteServices extends CallAdmission {
  readonly livenessSessions: LivenessSessionService;
  readonly recognition: RecognitionService;
  readonly parts: ProfileParts;
}

/** Opens a site, once for the app. @throws OperatorError */
export type OpenSite = (services: SiteServices) => Promise<Site>;

/** Paths that a feature answers in a form of its own: neither envelope nor token nor quota are looked at. */
export interface Site {
  /** A wildcard stands at the end. */
  readonly paths: readonly string[];
  /** Answers a request of one of them; the headers of every answer are set. @param trxId of the call, for services */
  answer(request: IncomingMessage, response: ServerResponse, trxId: string): Promise<void>;
  /** Path below which it has the page of hosted sessions and the calls of that page. */
  readonly sessions: string;
  /**
   * Whose session it is, instead of the secret of a link.
   * @throws Refusal `unauthorized`
   */
  sessionOf(request: IncomingMessage, response: ServerResponse): Promise<SessionCaller>;
}
