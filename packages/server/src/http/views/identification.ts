import { cutFraction } from '@wajah/contract';
import { placeOf, qualityFields, wearsMask } from '../../services/faces/main-face.ts';
import type { Candidate, Identification, SearchedFace } from '../../services/recognition/identification.ts';

/** The people of a picture; with its faces when the call asks for several. */
export function identifiedView({ people, faces, found, threshold, several }: Identification) {
  return {
    status_description: 'Face Recognition Success',
    return: people.map(candidateView),
    ...(several && { faces: faces.map(faceView), found, threshold }),
  };
}

function faceView({ face, outcome, candidates }: SearchedFace) {
  const measured = { ...placeOf(face), quality: qualityFields(face), mask: wearsMask(face) };
  return { ...measured, outcome, candidates: candidates.map(candidateView) };
}

function candidateView({ userId, userName, confidence, mask }: Candidate) {
  return { confidence_level: cutFraction(confidence), mask, user_id: userId, user_name: userName };
}
