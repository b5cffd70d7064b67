import {
  type Caller,
  countTemplates,
  type FaceService,
  galleryOf,
  ifGone,
  type Listing,
  listingOf,
  noUser,
  type ProfileParts,
  pagesOf,
  Refusal,
} from '@wajah/server/profile';
import { createSubjectPictures } from './pictures.ts';
import { createSubjectRecognition } from './recognition.ts';

/** Subjects erased at the same time. */
const concurrency = 16;

/** Names without a picture that a gallery may have. */
const mostNames = 1000;

type InGallery = Readonly<{ galleryId: string }>;
type Named = InGallery & Readonly<{ subject: string }>;

export type SubjectService = ReturnType<typeof createSubjectService>;

/** The people of a gallery as subjects with pictures: for clients of CompreFace. A subject is a user whose user_id is its name. */
export function createSubjectService(parts: ProfileParts, faces: Pick<FaceService, 'remove'>) {
  const { store, events, writer, comparisons } = parts;
  const names = createNames(parts);
  const removeOne = createRemove(parts, faces);
  return {
    ...names,
    pictures: createSubjectPictures(parts),
    ...createSubjectRecognition(parts),

    /**
     * Gives a subject another name; the pictures of one that exists already are joined with its own.
     * @returns false when the names are equal
     * @throws Refusal `userNotFound` | `userExists` (too many pictures) | `denied` (other model pack)
     */
    async rename(caller: Caller, { galleryId, subject, name }: Named & { name: string }): Promise<boolean> {
      if (name === subject) return false;
      const gallery = await comparisons.gallery(caller, galleryId);
      const isEnrolled = await writer.merge(gallery, subject, name);
      const isNamed = await store.subjects.remove(gallery.id, subject);
      if (!isEnrolled && !isNamed) throw noUser();
      if (!isEnrolled && !(await store.faces.get(gallery.id, name)))
        await store.subjects.add(gallery.id, name);
      events.observe('face_changed', caller, { facegallery_id: galleryId, what: 'user_id' });
      return true;
    },

    /** @returns the number of pictures that were erased @throws Refusal `userNotFound` */
    remove: removeOne,

    /** @returns the number of pictures that were erased, 0 also when there is no such subject */
    removeIfThere: (caller: Caller, one: Named): Promise<number> => removeOne(caller, one).catch(ifGone(0)),

    /** @returns the numbers of subjects and of pictures that were erased */
    async removeAll(caller: Caller, { galleryId }: InGallery) {
      let [subjects, pictures] = [0, 0];
      for await (const page of names.pages(await galleryOf(store, caller, galleryId))) {
        for (let from = 0; from < page.length; from += concurrency) {
          const some = page.slice(from, from + concurrency).map((subject) => ({ galleryId, subject }));
          // Another call may have erased some meanwhile.
          const erased = await Promise.all(some.map((one) => removeOne(caller, one).catch(ifGone(0))));
          pictures += erased.reduce((sum, count) => sum + count, 0);
        }
        subjects += page.length;
      }
      return { subjects, pictures };
    },
  };
}

function createNames({ store }: Pick<ProfileParts, 'store'>) {
  /** In order of code points. */
  async function* pages({ id }: { readonly id: number }): AsyncGenerator<readonly string[], void> {
    let named = await store.subjects.list(id);
    const at = new Date();
    const enrolled = (after: string, limit: number) => store.faces.list(id, { after, at, limit });
    for await (const faces of pagesOf(enrolled, ({ userId }) => userId)) {
      const last = faces.at(-1)!.userId;
      const before = named.filter((name) => inOrder(name, last) <= 0);
      named = named.slice(before.length);
      yield [...new Set([...faces.map(({ userId }) => userId), ...before])].sort(inOrder);
    }
    if (named.length > 0) yield named;
  }
  return {
    pages,

    list: async (caller: Caller, { galleryId }: InGallery): Promise<Listing<string>> =>
      listingOf(pages(await galleryOf(store, caller, galleryId))),

    /** @throws Refusal `userExists` | `denied` when there are too many names without a picture */
    async create(caller: Caller, { galleryId, subject }: Named): Promise<void> {
      const gallery = await galleryOf(store, caller, galleryId);
      const named = await store.subjects.list(gallery.id);
      if (named.includes(subject) || (await store.faces.get(gallery.id, subject))) {
        throw new Refusal('subjectExists');
      }
      if (named.length >= mostNames) {
        throw new Refusal('tooManySubjects', { count: named.length, most: mostNames });
      }
      await store.subjects.add(gallery.id, subject);
    },
  };
}

/** Of code points, as the store orders. */
function inOrder(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function createRemove({ store }: Pick<ProfileParts, 'store'>, faces: Pick<FaceService, 'remove'>) {
  return async (caller: Caller, { galleryId, subject }: Named): Promise<number> => {
    const gallery = await galleryOf(store, caller, galleryId);
    const face = await store.faces.get(gallery.id, subject);
    if (!face) {
      if (await store.subjects.remove(gallery.id, subject)) return 0;
      throw noUser();
    }
    await faces.remove(caller, { facegalleryId: galleryId, userId: subject });
    return countTemplates(face.template);
  };
}
