import { cutFraction, endpoints } from '@wajah/contract';
import { placeOf, qualityFields } from '../../services/faces/main-face.ts';
import type { EnrolmentService, FacePictures, FaceService } from '../../services/faces/ports.ts';
import { leftOutFields } from '../../services/faces/several-pictures.ts';
import type { RecognitionService } from '../../services/recognition/ports.ts';
import { pageOf } from '../plugins/rows.ts';
import type { Scale } from '../scales.ts';
import { detectedView, identifiedView } from '../views/faces.ts';
import { observedComparison } from '../views/observed.ts';
import { personView, receiptView, termsView, timedView } from '../views/people.ts';
import type { Mount } from './ports.ts';

/** Enrolment, and the faces of a gallery. */
export function enrolmentRoutes(
  mount: Mount,
  { enrolment, faces }: { readonly enrolment: EnrolmentService; readonly faces: FaceService },
): void {
  mount(endpoints.enrolFace, async (caller, request, scale) => {
    const { found, face, compared, known, leftOut } = await enrolment.enrol(caller, request);
    return {
      ...(request.details === true && { found, face: { ...placeOf(face), quality: qualityFields(face) } }),
      ...(compared && {
        similarity: cutFraction(scale.of(compared.similarity, compared.threshold)),
        threshold: compared.threshold,
        former_name: compared.formerName,
      }),
      ...(known && { same_picture: true }),
      ...leftOutFields(leftOut),
    };
  });

  mount(
    endpoints.enrolFaceKtp,
    (caller, { minimumSimilarity: limit, ...request }, scale) =>
      enrolment.enrolWithCard(caller, { ...request, minimumSimilarity: scale.limit(limit) }),
    {
      view: ({ similarity, own, masker }, scale) => ({
        masker,
        similarity: cutFraction(scale.of(similarity, own)),
      }),
    },
  );

  mount(endpoints.listFaces, async (caller, request) => {
    const { rows, end } = pageOf(await faces.list(caller, request), personView);
    return { faces: rows, ...end };
  });

  mount(endpoints.deleteFace, async (caller, request) => receiptView(await faces.remove(caller, request)));

  mount(endpoints.describeFace, async (caller, request) => {
    const { face, hasCrop, terms, pictures } = await faces.describe(caller, request);
    return { ...timedView(face), ...termsView(terms), has_crop: hasCrop, n_picture: pictures };
  });

  mount(endpoints.updateFace, faces.rename);
}

/** The pictures of enrolled people. */
export function pictureRoutes(mount: Mount, { facePictures }: { readonly facePictures: FacePictures }): void {
  mount(endpoints.getFaceCrop, async (caller, request) => ({
    image: base64Of(await facePictures.crop(caller, request)),
  }));

  mount(endpoints.getFaceThumbnails, async (caller, request) => {
    const shown = await facePictures.thumbnails(caller, request);
    return { faces: shown.map(({ userId, jpeg }) => ({ user_id: userId, image: jpeg && base64Of(jpeg) })) };
  });

  mount(endpoints.getFacePictures, async (caller, request) => {
    const shown = await facePictures.pictures(caller, request);
    return {
      pictures: shown.map(({ pictureId, jpeg }) => ({
        picture_id: pictureId,
        image: jpeg && base64Of(jpeg),
      })),
    };
  });

  mount(endpoints.deleteFacePicture, facePictures.removePicture);

  mount(endpoints.mergeFaces, async (caller, request) => {
    const { merged, pictures } = await facePictures.merge(caller, request);
    return { merged, n_picture: pictures };
  });
}

const base64Of = (jpeg: Uint8Array) => Buffer.from(jpeg).toString('base64');

/** Verification, identification, comparison of two pictures, and detection. */
export function recognitionRoutes(
  mount: Mount,
  { recognition }: { readonly recognition: RecognitionService },
): void {
  mount(
    endpoints.verifyFace,
    (caller, request, scale) => recognition.verify(caller, withLimit(request, scale)),
    {
      view: ({ userName, similarity, own, ...decision }, scale) => ({
        user_name: userName,
        similarity: cutFraction(scale.of(similarity, own)),
        ...decision,
      }),
      observe: observedComparison,
    },
  );

  mount(
    endpoints.identifyFace,
    (caller, request, scale) => recognition.identify(caller, withLimit(request, scale)),
    { view: identifiedView },
  );

  mount(
    endpoints.compareImages,
    (caller, request, scale) => recognition.compare(caller, withLimit(request, scale)),
    {
      view: ({ similarity, own, ...decision }, scale) => ({
        similarity: cutFraction(scale.of(similarity, own)),
        ...decision,
      }),
      observe: observedComparison,
    },
  );

  mount(endpoints.detectFaces, recognition.detect, { view: detectedView });
}

/** The threshold of a call is on the scale of its interface. */
function withLimit<Request extends { readonly threshold?: number | undefined }>(
  request: Request,
  scale: Scale,
) {
  return { ...request, threshold: scale.limit(request.threshold) };
}
