import type { ErasedTraces, ExportedTraces } from '@wajah/contract';
import type { Receipt } from '../../events/ports.ts';
import type { KnownTerms } from '../../services/faces/ports.ts';
import type { ErasedPerson, PersonExport } from '../../services/people/ports.ts';
import type { FaceRecord } from '../../store/ports/faces.ts';
import { wire } from './wire.ts';

export function exportView({ userId, at, galleries, sessions, ...traces }: PersonExport) {
  return {
    user_id: userId,
    exported_at: at.toISOString(),
    galleries: galleries.map(({ terms, templates, crops, ...person }) => ({
      ...wire(person),
      ...termsView(terms),
      n_picture: templates,
      crops: crops.map(({ bytes, jpeg }) => ({
        bytes,
        ...(jpeg && { image: Buffer.from(jpeg).toString('base64') }),
      })),
    })),
    liveness_sessions: sessions.map(({ id, galleryId, createdAt, expiresAt, claimedAt, passed }) =>
      wire({ sessionId: id, galleryId, createdAt, expiresAt, submittedAt: claimedAt, passed }),
    ),
    remembered_frames: traces.frames,
    // Each has the field that its feature declares in the contract.
    ...(traces.others as ExportedTraces),
  };
}

export function erasedView({ galleryIds, receipt, ...counts }: ErasedPerson) {
  return {
    facegallery_ids: galleryIds,
    liveness_sessions: counts.sessions,
    remembered_frames: counts.frames,
    ...(counts.others as ErasedTraces),
    ...receiptView(receipt),
  };
}

/** A user in a list; with times where the terms were asked for. */
export function personView({
  terms,
  hasCrop,
  ...face
}: FaceRecord & { readonly terms: KnownTerms | undefined; readonly hasCrop: boolean }) {
  if (terms) return { ...timedView(face), has_crop: hasCrop, ...termsView(terms) };
  return { user_id: face.userId, user_name: face.userName };
}

export function timedView({ userId, userName, createdAt, updatedAt }: FaceRecord) {
  return {
    user_id: userId,
    user_name: userName,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

export function termsView({ consent, expiry, suspendedAt }: KnownTerms) {
  return {
    consent: consent && {
      reference: consent.reference,
      purpose: consent.purpose,
      given_at: consent.givenAt.toISOString(),
      until: consent.until?.toISOString() ?? null,
    },
    expires_at: expiry?.toISOString() ?? null,
    suspended_at: suspendedAt?.toISOString() ?? null,
  };
}

/** The field `receipt` of an erasure; empty without one. */
export function receiptView(receipt: Receipt | null) {
  return receipt === null ? {} : { receipt: { ...receipt, at: receipt.at.toISOString() } };
}
