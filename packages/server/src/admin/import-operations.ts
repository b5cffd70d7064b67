import type { ImportAdministration } from '../services/enrolment/import-administration.ts';
import { type AdminInput, bytesOf, termsOfText, termsText, toBase64 } from './inputs.ts';
import { sealedGallery } from './sealed-gallery.ts';

/** Operations by which a command enrols people with templates that it has computed and sealed. */
export function importOperations(imports: ImportAdministration) {
  return {
    prepareImport: async ({ clientId, galleryId, create }: AdminInput<'prepareImport'>) => {
      const { gallery, isNew } = await imports.prepare(clientId, galleryId, create);
      return { ...sealedGallery(gallery), requireLiveness: gallery.requireLiveness, isNew };
    },
    listPeople: ({ gallery, after, limit }: AdminInput<'listPeople'>) => imports.list(gallery, after, limit),
    readPeople: async ({ gallery, after, limit }: AdminInput<'readPeople'>) => {
      const people = await imports.read(gallery, after, limit);
      return people.map(({ template, crops, terms, ...person }) => ({
        ...person,
        terms: termsText(terms),
        template: toBase64(template),
        crops: crops.map(toBase64),
      }));
    },
    importPeople: ({ people, wrappedKey, ...batch }: AdminInput<'importPeople'>) => {
      const sealed = people.map(({ template, crops, terms, ...person }) => ({
        ...person,
        terms: terms && termsOfText(terms),
        template: bytesOf(template),
        crops: crops.map(bytesOf),
      }));
      return imports.write({ ...batch, sealedWith: bytesOf(wrappedKey), people: sealed });
    },
  };
}
