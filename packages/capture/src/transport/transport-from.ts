import { LivenessError } from '../errors.ts';
import { httpTransport } from './http-transport.ts';
import type { LivenessTransport } from './protocol.ts';

/** What an element says about the way to the server: its attributes, and the properties beside them. */
export interface TransportSettings {
  readonly token: string | (() => string | Promise<string>) | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  getAttribute(name: string): string | null;
}

/**
 * `base-url` and a token, or the addresses of one's own backend.
 * @throws LivenessError `not-configured`
 */
export function transportFrom(settings: TransportSettings): LivenessTransport {
  const { token, headers } = settings;
  const given = (name: string) => settings.getAttribute(name) ?? undefined;
  const base = given('base-url')?.replace(/\/+$/, '');
  const createUrl =
    given('create-url') ?? (base === undefined ? undefined : `${base}/liveness-api/create-session`);
  const submitUrl =
    given('submit-url') ?? (base === undefined ? undefined : `${base}/liveness-api/submit-session`);
  const detectUrl = given('detect-url') ?? (base === undefined ? undefined : `${base}/face-api/detect-faces`);
  if (createUrl === undefined || submitUrl === undefined) {
    throw new LivenessError('not-configured', 'set transport, or base-url, or create-url and submit-url');
  }
  return httpTransport({
    createUrl,
    submitUrl,
    detectUrl,
    fields: fieldsOf(given),
    async headers() {
      if (token === undefined) return { ...headers };
      return { ...headers, Accesstoken: typeof token === 'string' ? token : await token() };
    },
  });
}

/** Body of create-session. A backend should not believe the user named here, but say itself who it must be. */
function fieldsOf(given: (name: string) => string | undefined): Record<string, unknown> {
  const [steps, user, gallery] = [given('steps'), given('user-id'), given('facegallery-id')];
  return {
    ...(steps !== undefined && { steps: Number(steps) }),
    ...(user !== undefined && { user_id: user }),
    ...(gallery !== undefined && { facegallery_id: gallery }),
  };
}
