import { cutFraction } from '@wajah/contract';
import type { EnrolmentService, RecognitionService } from '../../services/services.ts';

type ListedFaces = Awaited<ReturnType<EnrolmentService['list']>>;
type Verified = Awaited<ReturnType<RecognitionService['verify']>>;
type WithCard = Awaited<ReturnType<EnrolmentService['enrolWithCard']>>;
type Compared = Awaited<ReturnType<RecognitionService['compare']>>;
type Identified = Awaited<ReturnType<RecognitionService['identify']>>;

export function listView({ faces, nextCursor }: ListedFaces) {
  return {
    faces: faces.map(({ userId, userName }) => ({ user_id: userId, user_name: userName })),
    ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }),
  };
}

export function cardView({ similarity, masker }: WithCard) {
  return { masker, similarity: cutFraction(similarity) };
}

export function comparedView({ similarity, verified, masker, threshold }: Compared) {
  return { similarity: cutFraction(similarity), verified, masker, threshold };
}

export function verifiedView({ userName, similarity, masker, verified, threshold }: Verified) {
  return { user_name: userName, similarity: cutFraction(similarity), masker, verified, threshold };
}

export function identifiedView(people: Identified) {
  return {
    status_description: 'Face Recognition Success',
    return: people.map(({ userId, userName, confidence, mask }) => ({
      confidence_level: cutFraction(confidence),
      mask,
      user_id: userId,
      user_name: userName,
    })),
  };
}
