import type { Attribute, Face } from '@wajah/engine';
import { Refusal, rowsOf } from '@wajah/server/profile';
import type { ComprefaceMount } from './calls.ts';
import { comprefaceEndpoints as endpoints } from './endpoints.ts';
import { comprefaceSimilarity, probabilityOf, roundedTo5, scoreOf } from './scales.ts';
import type { SubjectService } from './subjects.ts';

/** Users that a face is compared with at most. */
const mostCandidates = 100;
/** Pictures on a page at most. */
const mostOnPage = 2000;

/** The names of a gallery. */
export function subjectRoutes(mount: ComprefaceMount, subjects: SubjectService): void {
  mount(endpoints.createSubject, async (caller, { subject }, galleryId) => {
    await subjects.create(caller, { galleryId, subject });
    return { http: 201, body: { subject } };
  });

  mount(endpoints.listSubjects, async (caller, _, galleryId) => ({
    body: { subjects: rowsOf(await subjects.list(caller, { galleryId }), (name) => name) },
  }));

  mount(endpoints.renameSubject, async (caller, { name, subject }, galleryId) => ({
    body: { updated: await subjects.rename(caller, { galleryId, subject: name, name: subject }) },
  }));

  mount(endpoints.deleteSubject, async (caller, { name }, galleryId) => {
    await subjects.remove(caller, { galleryId, subject: name });
    return { body: { subject: name } };
  });

  mount(endpoints.deleteSubjects, async (caller, _, galleryId) => ({
    body: { deleted: (await subjects.removeAll(caller, { galleryId })).subjects },
  }));
}

/** The pictures of a gallery. */
export function pictureRoutes(mount: ComprefaceMount, subjects: SubjectService): void {
  const { pictures } = subjects;
  mount(
    endpoints.addPicture,
    async (caller, { subject, file: image, det_prob_threshold: threshold }, galleryId) => {
      const id = await pictures.add(caller, { galleryId, subject, image, minScore: scoreOf(threshold) });
      return { http: 201, body: { image_id: id, subject } };
    },
  );

  mount(endpoints.listPictures, async (caller, { subject, page, size: wanted }, galleryId) => {
    const size = Math.min(wanted === 0 ? 20 : wanted, mostOnPage);
    const { pictures: found, total } = await pictures.list(caller, { galleryId, subject, page, size });
    return {
      body: {
        faces: found.map(({ pictureId, userId }) => ({ image_id: pictureId, subject: userId })),
        page_number: page,
        page_size: size,
        total_pages: Math.ceil(total / size),
        total_elements: total,
      },
    };
  });

  mount(endpoints.deletePictures, async (caller, { subject }, galleryId) => {
    if (subject === undefined)
      return { body: { deleted: (await subjects.removeAll(caller, { galleryId })).pictures } };
    return { body: { deleted: await subjects.removeIfThere(caller, { galleryId, subject }) } };
  });

  mount(endpoints.deletePicture, async (caller, { image_id: pictureId }, galleryId) => {
    const subject = await pictures.remove(caller, { galleryId, pictureId });
    return { body: { image_id: pictureId, subject } };
  });

  mount(endpoints.deleteSeveral, async (caller, { ids }, galleryId) => {
    const removed = await pictures.removeSeveral(caller, { galleryId, pictureIds: ids });
    return { body: removed.map(({ pictureId, userId }) => ({ image_id: pictureId, subject: userId })) };
  });

  for (const endpoint of [endpoints.downloadPicture, endpoints.staticPicture]) {
    mount(endpoint, async (caller, { image_id: pictureId }, galleryId) => {
      const jpeg = await pictures.image(caller, { galleryId, pictureId });
      return { type: jpeg ? 'image/jpeg' : 'application/octet-stream', body: Buffer.from(jpeg ?? []) };
    });
  }
}

/** All faces of pictures: found, identified, compared. */
export function recognitionRoutes(mount: ComprefaceMount, subjects: SubjectService): void {
  mount(endpoints.detect, async (caller, { file: image, ...wish }) => {
    const found = await subjects.detect(caller, { image, ...wanted(wish) });
    return {
      body: {
        result: found.faces.map(({ face }) => faceView(face, found, wish)),
        ...versionsView(found, wish),
      },
    };
  });

  mount(endpoints.recognise, async (caller, { file: image, prediction_count: count, ...wish }, galleryId) => {
    const candidates = Math.min(count, mostCandidates);
    const found = await subjects.recognise(caller, { galleryId, image, candidates, ...wanted(wish) });
    const result = found.faces.map(({ face, people }) => ({
      ...faceView(face, found, wish),
      subjects: people.map(({ userId, confidence }) => ({
        subject: userId,
        similarity: similarityView(confidence, wish),
      })),
    }));
    return { body: { result, ...versionsView(found, wish) } };
  });

  mount(endpoints.verifyPicture, async (caller, { file: image, image_id: pictureId, ...wish }, galleryId) => {
    const found = await subjects.pictures.verify(caller, { galleryId, pictureId, image, ...wanted(wish) });
    const result = found.faces.map(({ face, similarity }) => ({
      ...faceView(face, found, wish),
      subject: found.subject,
      similarity: similarityView(similarity, wish),
    }));
    return { body: { result, ...versionsView(found, wish) } };
  });

  mount(endpoints.verify, async (caller, { source_image: source, target_image: target, ...wish }) => {
    const found = await subjects.compare(caller, { source, target, ...wanted(wish) });
    const matches = found.faces.map(({ face, similarity }) => ({
      ...faceView(face, found.ofTarget, wish),
      similarity: similarityView(similarity, wish),
    }));
    const one = { source_image_face: faceView(found.source, found, wish), face_matches: matches };
    return { body: { result: [{ ...one, ...versionsView(found, wish) }] } };
  });

  const embeddings = [endpoints.recogniseEmbeddings, endpoints.verifyEmbeddings, endpoints.compareEmbeddings];
  for (const endpoint of embeddings) mount(endpoint, refuseEmbeddings);
}

/** Attributes that plugins need. */
const attributesOf: readonly [string, Attribute][] = [
  ['pose', 'pose'],
  ['mask', 'mask'],
];

function wanted(wish: Wish & { readonly limit: number; readonly det_prob_threshold: number }) {
  const attributes = attributesOf.flatMap(([slug, attribute]) =>
    wish.face_plugins.has(slug) ? [attribute] : [],
  );
  return { limit: wish.limit, minScore: scoreOf(wish.det_prob_threshold), attributes };
}

async function refuseEmbeddings(): Promise<never> {
  throw new Refusal('embeddingsRefused');
}

type Detection = Awaited<ReturnType<SubjectService['detect']>>;

/** Of an analysis. */
type AnalysisFacts = Pick<Detection, 'image' | 'stages' | 'pack'>;

/** What a call wants to see of faces. */
interface Wish {
  readonly face_plugins: ReadonlySet<string>;
  readonly status: boolean;
  readonly similarity: 'compreface' | 'wajah';
}

/** A similarity in the scale that the call wants. */
function similarityView(similarity: number, { similarity: scale }: Wish): number {
  return scale === 'wajah' ? roundedTo5(similarity) : comprefaceSimilarity(similarity);
}

/** Box, and what the plugins add; age, gender and embedding are never there. */
function faceView(face: Face, facts: AnalysisFacts, { face_plugins: plugins, status }: Wish) {
  const { pose, mask, landmarks } = face;
  return {
    box: boxView(face, facts.image),
    ...(plugins.has('landmarks') && {
      landmarks: landmarks.map(({ x, y }) => [Math.round(x), Math.round(y)]),
    }),
    ...(plugins.has('pose') &&
      pose && {
        pose: { pitch: hundredths(pose.pitch), roll: hundredths(pose.roll), yaw: hundredths(pose.yaw) },
      }),
    ...(plugins.has('mask') && mask && { mask: maskView(mask) }),
    ...(status && { execution_time: timesView(facts, plugins) }),
  };
}

/** Models of the plugins that were asked for; null: the call does not ask. */
function versionsView({ pack }: AnalysisFacts, { face_plugins: plugins, status }: Wish) {
  if (!status) return {};
  const model = `wajah ${pack}`;
  return {
    plugins_versions: {
      detector: model,
      calculator: model,
      ...(plugins.has('pose') && { pose: model }),
      ...(plugins.has('mask') && { mask: model }),
    },
  };
}

/** Whole pixels inside of the picture. */
function boxView({ box, score }: Face, { width, height }: AnalysisFacts['image']) {
  const within = (value: number, most: number) => Math.max(0, Math.min(most, Math.round(value)));
  return {
    probability: probabilityOf(score),
    x_max: within(box.x + box.width, width),
    y_max: within(box.y + box.height, height),
    x_min: within(box.x, width),
    y_min: within(box.y, height),
  };
}

function maskView({ worn, score }: NonNullable<Face['mask']>) {
  return worn
    ? { probability: roundedTo5(score), value: 'mask_worn_correctly' }
    : { probability: roundedTo5(1 - score), value: 'without_mask' };
}

/** Milliseconds for all faces of the picture. */
function timesView({ stages }: AnalysisFacts, plugins: Wish['face_plugins']) {
  const { detector = 0, mesh = 0, embedder = 0, features = 0 } = stages;
  return {
    detector: hundredths(detector),
    calculator: hundredths(embedder),
    ...(plugins.has('pose') && { pose: hundredths(mesh) }),
    ...(plugins.has('mask') && { mask: hundredths(features) }),
  };
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}
