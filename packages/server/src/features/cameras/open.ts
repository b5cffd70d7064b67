import { cutFraction, statuses } from '@wajah/contract';
import type { Box } from '@wajah/engine';
import { OperatorError, Refusal } from '../../errors.ts';
import type { FeatureParts, OpenFeature } from '../../feature.ts';
import { rowsOf } from '../../http/plugins/rows.ts';
import type { MountCall, Wire, WireServices } from '../../http/routes/wire-ports.ts';
import type { Caller } from '../../services/caller.ts';
import { cameraEndpoints as endpoints, picturesOf, prefix } from './endpoints.ts';

/** Faces of a picture that are searched for. */
const mostFaces = 10;

/** What a caller may who is known by the address alone. */
const scopes = ['recognise', 'enrol', 'read'] as const;

/** Serves programs of cameras, which were written for DeepStack and CodeProject.AI. */
export function openCameras({ config: { cameras, trustProxy } }: FeatureParts): OpenFeature {
  const mount = () => {};
  if (!cameras) return { mount };
  const { galleryId, trusted } = cameras;
  if (trusted && trustProxy === true)
    throw new OperatorError(
      'WAJAH_CAMERAS_NETWORKS cannot be used with WAJAH_TRUST_PROXY=true, by which callers choose their addresses; allowed: the number or the networks of the proxies',
    );
  return {
    mount,
    wire: (services): Wire => ({
      prefix,
      galleryId,
      trusted: trusted && { ...trusted, scopes },
      mount: (mountCall) => mountCalls(mountCall, services, galleryId),
      refused,
    }),
  };
}

function mountCalls(mount: MountCall, services: WireServices, facegalleryId: string): void {
  const { recognition, faces } = services;
  mount(endpoints.detect, async (caller, { image, minConfidence = 0 }) => {
    const found = await recognition.detect(caller, { image, attributes: [], thorough: false });
    const shown = found.faces.filter(({ score }) => score >= minConfidence);
    return {
      predictions: shown.map(({ box, score }) => ({ confidence: cutFraction(score), ...corners(box) })),
    };
  });

  mount(endpoints.recognise, async (caller, { image, minConfidence = 0 }) => {
    const found = await recognition.identify(caller, { facegalleryId, image, faces: mostFaces });
    return {
      predictions: found.faces.map(({ face, candidates: [best] }) => {
        if (!best || best.confidence < minConfidence) return stranger(face.box);
        return { userid: best.userId, confidence: cutFraction(best.confidence), ...corners(face.box) };
      }),
    };
  });

  mount(endpoints.match, async (caller, { image1: sourceImage, image2: targetImage }) => {
    const names = { source_image: 'image1', target_image: 'image2' };
    const { similarity } = await named(names, recognition.compare(caller, { sourceImage, targetImage }));
    return { similarity: cutFraction(similarity) };
  });

  mount(endpoints.register, createRegister(services, facegalleryId));

  mount(endpoints.list, async (caller) => ({
    faces: rowsOf({ ...(await faces.list(caller, { facegalleryId })) }, ({ userId }) => userId),
  }));

  mount(endpoints.remove, async (caller, { userid: userId }) => {
    await faces.remove(caller, { facegalleryId, userId });
    return {};
  });

  mount(endpoints.ping, async () => ({}));
}

function createRegister({ enrolment }: WireServices, facegalleryId: string) {
  return async (caller: Caller, fields: Readonly<Record<string, unknown>> & { readonly userid: string }) => {
    const person = {
      facegalleryId,
      userId: fields.userid,
      userName: fields.userid,
      ifExists: 'append',
    } as const;
    const pictures = picturesOf(fields);
    if (pictures.length === 0) throw new Refusal('partMissing', { field: 'image' });
    // In one write: of several those that cannot be used are left out.
    const images = pictures.map(({ image }) => image);
    const sent = images.length > 1 ? { images } : { image: images[0] };
    const nameOf = (at: number) => (images.length > 1 ? `images[${at}]` : 'image');
    const sentAs = pictures.map(({ field }) => field);
    const names = {
      images: sentAs.join(', '),
      ...Object.fromEntries(sentAs.map((field, at) => [nameOf(at), field])),
    };
    const { leftOut } = await named(names, enrolment.enrol(caller, { ...person, ...enrolled, ...sent }));
    const without = leftOut.map(({ index }) => pictures[index]!.field).join(', ');
    return { message: without === '' ? 'face added' : `face added, without ${without}` };
  };
}

/** As `enroll-face` is by default, but that nobody else may be in the picture. */
const enrolled = {
  forceRegister: false,
  replace: false,
  append: false,
  checkQuality: false,
  checkDuplicate: false,
  checkSingleFace: true,
} as const;

type Names = Readonly<Record<string, string>>;

/** Has refusals name pictures as the call does. @param names by those of the services */
async function named<Value>(names: Names, call: Promise<Value>): Promise<Value> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.code, error.params as never, { ...error.fields, names });
  }
}

/** The sentence of a refusal, with the fields of the call. */
function detailOf(refusal: Refusal): string {
  const { names } = refusal.fields as { names?: Names };
  return refusal.detailWith({ Accesstoken: 'api_key', user_id: 'userid', ...names });
}

const stranger = (box: Box) => ({ userid: 'unknown', confidence: 0, ...corners(box) });

/** Whole pixels. */
function corners({ x, y, width, height }: Box) {
  const [left, top] = [Math.max(0, Math.round(x)), Math.max(0, Math.round(y))];
  return { x_min: left, y_min: top, x_max: Math.round(x + width), y_max: Math.round(y + height) };
}

const predicting: readonly (string | undefined)[] = [endpoints.detect.id, endpoints.recognise.id];

/**
 * Programs ask about each frame of a camera, and take any refusal for a fault of the server: that nobody is in a picture,
 * or nobody who can be recognised, is a success there.
 */
function refused(refusal: Refusal, endpointId: string | undefined): Answered {
  const { status, code, fields } = refusal;
  if (predicting.includes(endpointId)) {
    const { faces = [] } = fields as { faces?: readonly { readonly box: Box }[] };
    if (status === 'notRecognized') return found(faces.map(({ box }) => stranger(box)));
    if (status === 'faceNotDetected' || status === 'faceTooSmall' || code === 'unclear') return found([]);
  }
  // A face that is not that person's is an answer of the own interface, with 200.
  const http = Math.max(400, statuses[status].http);
  return { http, body: { success: false, error: detailOf(refusal), code: http } };
}

type Answered = ReturnType<Wire['refused']>;

const found = (predictions: readonly object[]): Answered => ({
  http: 200,
  body: { success: true, predictions },
});
