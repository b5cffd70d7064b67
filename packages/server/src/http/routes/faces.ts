import { cutFraction, endpoints } from '@wajah/contract';
import type { EnrolmentService, FaceService } from '../../services/faces/enrolment.ts';
import { placeOf } from '../../services/faces/main-face.ts';
import type { DetectionService } from '../../services/recognition/detection.ts';
import type { RecognitionService } from '../../services/recognition/recognition.ts';
import { detectedView, identifiedView } from '../views/faces.ts';
import { observedCard, observedComparison, observedDetection, observedPeople } from '../views/observed.ts';
import { personView, receiptView, termsView, timedView } from '../views/people.ts';
import { refusalView } from '../views/records.ts';
import type { Mount } from './mount.ts';

/** Enrolment, and the faces of a gallery. */
export function enrolmentRoutes(
  mount: Mount,
  { enrolment, faces }: { readonly enrolment: EnrolmentService; readonly faces: FaceService },
): void {
  mount(endpoints.enrolFace, async (caller, request) => {
    const { found, face } = await enrolment.enrol(caller, request);
    return request.details === true ? { found, face: placeOf(face) } : {};
  });

  mount(endpoints.enrolFaceKtp, enrolment.enrolWithCard, {
    view: ({ similarity, masker }) => ({ masker, similarity: cutFraction(similarity) }),
    observe: observedCard,
  });

  mount(endpoints.listFaces, async (caller, request) => {
    const { faces: listed, nextCursor } = await faces.list(caller, request);
    return {
      faces: listed.map(personView),
      ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }),
    };
  });

  mount(endpoints.deleteFace, async (caller, request) => receiptView(await faces.remove(caller, request)));

  mount(endpoints.describeFace, async (caller, request) => {
    const { face, terms, pictures, refusals } = await faces.describe(caller, request);
    const known = { ...timedView(face), ...termsView(terms) };
    return { ...known, n_picture: pictures, refusals: refusals.map(refusalView) };
  });

  mount(endpoints.updateFace, async (caller, request) => {
    await faces.rename(caller, request);
    return {};
  });

  mount(endpoints.getFaceCrop, async (caller, request) => ({
    image: Buffer.from(await faces.crop(caller, request)).toString('base64'),
  }));
}

/** Verification, identification, comparison of two pictures, and detection. */
export function recognitionRoutes(
  mount: Mount,
  {
    recognition,
    detection,
  }: { readonly recognition: RecognitionService; readonly detection: DetectionService },
): void {
  mount(endpoints.verifyFace, recognition.verify, {
    view: ({ userName, similarity, ...decision }) => ({
      user_name: userName,
      similarity: cutFraction(similarity),
      ...decision,
    }),
    observe: observedComparison,
  });

  mount(endpoints.identifyFace, recognition.identify, { view: identifiedView, observe: observedPeople });

  mount(endpoints.compareImages, recognition.compare, {
    view: ({ similarity, ...decision }) => ({ similarity: cutFraction(similarity), ...decision }),
    observe: observedComparison,
  });

  mount(endpoints.detectFaces, detection.detect, { view: detectedView, observe: observedDetection });
}
