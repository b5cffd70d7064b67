// What the package of a profile uses of the server.
export { Refusal } from './errors.ts';
export { foundTwice, textOf } from './http/bodies/form-fields.ts';
export { type FormPart, isForm, readForm } from './http/bodies/form-parts.ts';
export { type Identify, takeHit, takeHitIfLeft } from './http/plugins/auth.ts';
export { readJson } from './http/plugins/body.ts';
export { comprefacePrefix, type Profile, type ProfileOptions } from './http/plugins/profile.ts';
export { callerOf } from './http/plugins/request-state.ts';
export { routeOf } from './http/routes/mount.ts';
export { nothingObserved } from './services/activity/activity-recorder.ts';
export type { Caller } from './services/caller.ts';
export type { SubjectService } from './services/subjects/subjects.ts';
export type { TokenBinding } from './store/token-store.ts';
