import { call, callOpen } from './http.ts';
import type {
  Activity,
  AnswerOf,
  Comparison,
  Detection,
  FacePage,
  Gallery,
  SystemStatus,
  Token,
} from './types.ts';

const face = '/face-api';
const gallery = `${face}/facegallery`;
const client = `${face}/client`;

/** Calls by what they are for; each takes a signal that gives it up. */
export const api = {
  signIn: (client_id: string, password: string) =>
    callOpen<AnswerOf<'clientToken'>>('/oauth/client/token', new URLSearchParams({ client_id, password })),

  detect: (image: string, signal?: AbortSignal) =>
    call<Detection>(`${face}/detect-faces`, { image, landmarks: 'mesh' }, { signal }),

  compare: (source_image: string, target_image: string, signal?: AbortSignal) =>
    call<Comparison>(`${face}/compare-images`, { source_image, target_image }, { signal }),

  galleries: (signal?: AbortSignal) =>
    call<{ facegalleries: Gallery[] }>(`${gallery}/describe-facegalleries`, {}, { signal }),

  createGallery: (facegallery_id: string, require_liveness: boolean) =>
    call(`${gallery}/create-facegallery`, { facegallery_id, require_liveness }),

  updateGallery: (
    facegallery_id: string,
    changes: { threshold?: number | null; require_liveness?: boolean },
  ) => call(`${gallery}/update-facegallery`, { facegallery_id, ...changes }),

  deleteGallery: (facegallery_id: string) =>
    call(`${gallery}/delete-facegallery`, { facegallery_id }, { method: 'DELETE' }),

  people: (
    query: { facegallery_id: string; search?: string; limit: number; cursor?: string },
    signal?: AbortSignal,
  ) => call<FacePage>(`${gallery}/list-faces`, query, { signal }),

  enrol: (
    person: {
      facegallery_id: string;
      user_id: string;
      user_name: string;
      image: string;
      replace: boolean;
      check_duplicate: boolean;
    },
    signal?: AbortSignal,
  ) => call(`${gallery}/enroll-face`, person, { signal }),

  deletePerson: (facegallery_id: string, user_id: string) =>
    call(`${gallery}/delete-face`, { facegallery_id, user_id }, { method: 'DELETE' }),

  crop: (facegallery_id: string, user_id: string, signal?: AbortSignal) =>
    call<{ image: string }>(`${face}/get-face-crop`, { facegallery_id, user_id }, { signal }),

  counters: (signal?: AbortSignal) => call<AnswerOf<'getCounters'>>(`${client}/get-counters`, {}, { signal }),

  activity: (query: { from: string; to: string; buckets: number }, signal?: AbortSignal) =>
    call<Activity>(`${client}/get-activity`, query, { signal }),

  tokens: (signal?: AbortSignal) => call<{ tokens: Token[] }>(`${client}/list-tokens`, {}, { signal }),

  createToken: (wanted: { name: string; scopes?: readonly string[]; expires_in_days?: number }) =>
    call<AnswerOf<'createApiToken'>>(`${client}/create-token`, wanted),

  revokeToken: (token_id: string) => call(`${client}/revoke-token`, { token_id }, { method: 'DELETE' }),

  status: (signal?: AbortSignal) => call<SystemStatus>('/system-api/get-status', {}, { signal }),
};
