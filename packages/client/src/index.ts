export { createWajahClient, type WajahClient } from './client.ts';
export { type CsvForm, csvColumns, csvDelimiters, csvFormOf, csvId, csvOptionsOf } from './csv-form.ts';
export { isDeviceName } from './device-names.ts';
export {
  type EnrolOptions,
  type EnrolProgress,
  type EnrolReport,
  type EnrolResult,
  enrolPeople,
} from './enrol-people.ts';
export { type AnyWajahError, isWajahError, type Refusal, type Status, WajahError } from './errors.ts';
export { verifyWebhook, WebhookError, type WebhookEvent, type WebhookOptions } from './features/webhooks.ts';
export type { Gallery, IdentifiedFaces, Match, Person } from './gallery.ts';
export type { CallOptions, ClientOptions } from './options.ts';
export {
  EnrolError,
  type Enrolee,
  type EnroleePicture,
  type EnrolFault,
  groupPeople,
  type IdReading,
  type LeftOut,
  limitPictures,
  namesOf,
} from './people.ts';
export type { Picture } from './pictures.ts';
export * from './wire.ts';
