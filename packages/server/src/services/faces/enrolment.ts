import type { IfExists, RequestOf } from '@wajah/contract';
import { phrase } from '@wajah/contract/refusals';
import type { Attribute } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import { changedPages, pageSize, pagesOf } from '../../lib/pages.ts';
import { countTemplates } from '../../security/vaults/template-vault.ts';
import { expiryOf, noTerms } from '../../store/person-store.ts';
import type { FaceRecord } from '../../store/ports/faces.ts';
import type { GalleryRecord } from '../../store/ports/galleries.ts';
import type { Store } from '../../store/ports/store.ts';
import type { Caller } from '../caller.ts';
import { galleryOf, keepsCrops, noUser, userOf } from '../galleries/lookup.ts';
import type { Comparisons } from '../galleries/ports.ts';
import { nameBefore, namedListing } from '../listing.ts';
import type { ServiceParts } from '../parts.ts';
import { differs } from './admission.ts';
import { isCompared } from './face-writer.ts';
import { createCardEnrolment } from './identity-card.ts';
import {
  analyzeMainFace,
  describeFace,
  placeOf,
  requireClear,
  requireFaces,
  requireQuality,
  templateOf,
} from './main-face.ts';
import type { EnrolmentParts } from './parts.ts';
import type {
  ComparedFace,
  EnrolmentService,
  FaceCheck,
  FaceEraser,
  FaceService,
  FaceWriter,
  ListedFace,
  Person,
  PictureField,
  ReadLivenessToken,
} from './ports.ts';
import { lookAtPerson } from './several-pictures.ts';
import { termsOf } from './terms.ts';

/** Enrols users of a gallery: with a picture, or with one and an identity card. */
export function createEnrolmentService(parts: EnrolmentParts): EnrolmentService {
  return { enrol: createEnrol(parts), enrolWithCard: createCardEnrolment(parts) };
}

interface FaceParts extends ServiceParts<'store' | 'events'> {
  readonly comparisons: Comparisons;
  readonly writer: FaceWriter;
  readonly eraser: FaceEraser;
}

/** Lists, describes, renames and removes the users of a gallery. */
export function createFaceService(parts: FaceParts): FaceService {
  const { store, events, eraser } = parts;
  return {
    list: createFaceListing(parts),
    ...createPersonService(parts),

    async remove(caller, { facegalleryId, userId }) {
      const gallery = await galleryOf(store, caller, facegalleryId);
      const cause = { trxId: caller.trxId, reason: 'deleted' } as const;
      if (!(await eraser.erase(gallery, userId, cause))) throw noUser();
      return events.observe('face_removed', caller, { facegallery_id: facegalleryId });
    },
  };
}

function createEnrol(parts: EnrolmentParts): EnrolmentService['enrol'] {
  const { events, writer, pictures, admission, comparisons, liveness } = parts;
  return async (caller, request) => {
    const { facegalleryId, userId, userName, forceRegister } = request;
    const ifExists = ifExistsOf(request, caller);
    const terms = termsOf(request);
    const { gallery, former } = await admission.admit(caller, request, ifExists, terms, request.details);
    const proof = await liveness.read(caller, request.livenessToken, gallery);

    const sent = { ...(await picturesOf(request, proof)), forceRegister };
    const { face, analysis, used, field, leftOut } = await lookAtPerson(parts, sent, (named, picture) =>
      lookAt(parts, caller, request, { gallery, field: named, bytes: pictures.decode(named, picture) }),
    );

    const place = request.details === true ? { face: placeOf(face), found: analysis.found } : {};
    const faces = used.map((one) => ({ template: templateOf(one), crop: one.crop }));
    const row = { userId, userName, faces, ifExists, terms };
    const requireSame = (now: GalleryRecord, person: Person) => {
      // Of what shows too little nobody can say whose it is, whatever is forced.
      if (ifExists !== 'append') requireClear(face, describeFace(analysis, field));
      return admission.requireSame(now, row, person, forceRegister, place);
    };
    await proof?.spend(used.map(templateOf), field);
    if (former && ifExists === 'refuse') {
      requireSame(gallery, { ...former, templates: await comparisons.templates(gallery, userId) });
    }
    let compared: ComparedFace | undefined;
    const check: FaceCheck = async (now, person) => {
      compared = person && requireSame(now, person);
      if (request.checkDuplicate) await admission.requireUnique(caller, now, row, field, place);
      return ifExists === 'append' && compared?.similarity === 1;
    };
    const isChecked = request.checkDuplicate || isCompared(ifExists);
    const known = !(await writer.writeFace(caller, gallery, row, isChecked ? check : undefined));
    const about = { facegallery_id: facegalleryId };
    if (known) events.observe('face_changed', caller, { ...about, what: 'same_picture' });
    else {
      const replaced = former !== null && ifExists !== 'append';
      const appended = compared !== undefined && !replaced;
      const facts = { ...about, replaced, appended, forced: forceRegister, found: analysis.found };
      const differing = compared && { differs: differs(compared) };
      events.observe('face_enrolled', caller, { ...facts, way: 'image', ...differing });
    }
    return { face, found: analysis.found, compared, known, leftOut };
  };
}

/** The face of a picture that is enrolled. @throws Refusal of the picture, and of a face that must not be enrolled */
async function lookAt(
  { config, pictures }: EnrolmentParts,
  caller: Caller,
  { forceRegister, checkQuality, checkSingleFace, details }: RequestOf<'enrolFace'>,
  {
    gallery,
    ...picture
  }: { readonly gallery: GalleryRecord; readonly field: PictureField; readonly bytes: Uint8Array },
) {
  const attributes = attributesFor(checkQuality || details, keepsCrops(config, gallery));
  const minimum = forceRegister ? 0 : config.limits.minFaceEnrol;
  const remedy = phrase('orForceRegister');
  const { face, analysis } = await analyzeMainFace(pictures, caller, picture, attributes, minimum, remedy);
  if (checkSingleFace) requireFaces(analysis.boxes, picture.field.name, 1);
  const subject = describeFace(analysis, picture.field.name);
  if (checkQuality) requireQuality(face, subject, forceRegister ? ['size', 'eyes', 'proportions'] : []);
  if (!forceRegister) requireClear(face, subject, remedy);
  return { face, analysis };
}

function attributesFor(quality: boolean | undefined, keepsCrop: boolean): Attribute[] {
  return [
    'embedding',
    'unclear',
    ...(quality ? ['quality' as const] : []),
    ...(keepsCrop ? ['crop' as const] : []),
  ];
}

/** The pictures of the request, or the frame that the session of its liveness token kept. */
async function picturesOf(
  { useSessionFrame, image, images }: RequestOf<'enrolFace'>,
  proof: ReadLivenessToken | undefined,
): Promise<Pick<RequestOf<'enrolFace'>, 'image' | 'images'>> {
  if (!useSessionFrame) return { image, images };
  if (!proof || image !== undefined || images !== undefined) throw new Refusal('sessionFrameNeeds');
  return { image: new Uint8Array(await proof.frame()) };
}

function ifExistsOf(
  { ifExists, append, replace, forceRegister }: RequestOf<'enrolFace'>,
  { asCloud }: Caller,
): IfExists {
  const said = new Set<IfExists>();
  if (ifExists) said.add(ifExists);
  if (append) said.add('append');
  if (replace) said.add('replace');
  if (said.size > 1) throw new Refusal('appendAndReplace');
  // In the cloud service force_register replaces, too.
  const [one = forceRegister && asCloud ? 'replace' : 'refuse'] = said;
  return one;
}

/** What is stored of one user, and the user's name. */
function createPersonService({
  store,
  events,
  writer,
  comparisons,
}: FaceParts): Pick<FaceService, 'describe' | 'rename'> {
  return {
    async describe(caller, { facegalleryId, userId }) {
      const gallery = await galleryOf(store, caller, facegalleryId);
      const face = await userOf(store, gallery, userId);
      const terms = await store.people.get(gallery.id, userId);
      const termsInForce = { ...terms, expiry: expiryOf(face.createdAt, gallery.retentionDays, terms) };
      const pictures = countTemplates(face.template);
      const hasCrop = (await store.crops.owners(gallery.id, userId, userId)).size > 0;
      return { face, hasCrop, terms: termsInForce, pictures };
    },

    async rename(caller, { facegalleryId, userId, userName }) {
      const gallery = await comparisons.gallery(caller, facegalleryId);
      await writer.rename(gallery, userId, userName);
      events.observe('face_changed', caller, { facegallery_id: facegalleryId, what: 'user_name' });
    },
  };
}

/** Lists the users of a gallery, ordered by user_id: all, a page, or those whose user_id or user_name contains a text. */
function createFaceListing({ store }: FaceParts): FaceService['list'] {
  return async (caller, { facegalleryId, limit, cursor, search, details }) => {
    const gallery = await galleryOf(store, caller, facegalleryId);
    const at = new Date();
    const read = (after: string, most: number) => {
      caller.signal?.throwIfAborted();
      return store.faces.list(gallery.id, { after, at, limit: most });
    };
    const after = nameBefore(cursor, 'list-faces');
    const size = search === undefined ? Math.min(pageSize, (limit ?? pageSize) + 1) : pageSize;
    const all = pagesOf(read, ({ userId }) => userId, after, size);
    const found = search === undefined ? all : changedPages(all, matching(search));
    const pages = changedPages<FaceRecord, ListedFace>(found, (page) =>
      withTerms(store, gallery, page, details === true),
    );
    return namedListing(pages, ({ userId }) => userId, limit);
  };
}

/** Consent, end of storage and suspension of each, and whether a crop is kept, where they are asked for. */
async function withTerms(
  { people, crops }: Pick<Store, 'people' | 'crops'>,
  { id, retentionDays }: GalleryRecord,
  faces: readonly FaceRecord[],
  wanted: boolean,
): Promise<ListedFace[]> {
  const [first, last] = [faces[0], faces.at(-1)];
  if (!wanted || !first || !last) return faces.map((face) => ({ ...face, hasCrop: false, terms: undefined }));
  const stored = await people.list(id, first.userId, last.userId);
  const owners = await crops.owners(id, first.userId, last.userId);
  return faces.map((face) => {
    const terms = stored.get(face.userId) ?? noTerms;
    const expiry = expiryOf(face.createdAt, retentionDays, terms);
    return { ...face, hasCrop: owners.has(face.userId), terms: { ...terms, expiry } };
  });
}

/** Those whose user_id or user_name contains a text. */
function matching(text: string) {
  const needle = caseFolded(text);
  const matches = ({ userId, userName }: FaceRecord) =>
    caseFolded(userId).includes(needle) || caseFolded(userName).includes(needle);
  return (faces: readonly FaceRecord[]) => faces.filter(matches);
}

/** For comparison without regard to case and Unicode composition. */
function caseFolded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
