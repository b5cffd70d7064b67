import type { Engine } from '@wajah/engine';
import type { TemplateVault } from '../../src/security/vaults/template-vault.ts';
import type { GalleryRecord } from '../../src/store/gallery-store.ts';
import type { Store } from '../../src/store/store.ts';

/** What galleries of version 3 of the built-in pack have stored as their embedding spec. */
export const formerSpec =
  '{"pack":"builtin","version":"3","embedder":"mobilefacenet-ms1m+hse-faceres","alignment":"five-landmarks-eyes-and-nose-twice+mesh-468-points-padding-0.45","dimensions":256,"normalisation":"l2(6 × centred(crop + mirrored crop), half-whitened(sqrt(features)))"}';

/** Values of the embedder at the beginning of a template of version 3; the network of the others is no longer there. */
export const kept = 128;

/** The template that version 3 would have stored of a face, from the present one; its last values are arbitrary. */
export function formerOf(template: Float32Array): Float32Array {
  const norm = Math.hypot(...template.subarray(0, kept));
  const embedder = template.subarray(0, kept).map((value) => (value / norm) * Math.sqrt(6 / 7));
  const features = Float32Array.from({ length: kept }, (_, i) => (i % 2 ? 1 : -1) / Math.sqrt(7 * kept));
  return Float32Array.from([...embedder, ...features]);
}

/** The template of the face in a picture, as version 3 would have stored it. */
export async function formerTemplate(engine: Engine, picture: Uint8Array): Promise<Float32Array> {
  const request = { attributes: ['embedding'], maxFaces: 1, search: 'fast' } as const;
  const { faces } = await engine.analyze(picture, request);
  return formerOf(faces[0]!.embedding!);
}

/** Enrols a person as a server of version 3 does. @param templates of the person's pictures */
export async function enrolFormer(
  { store, vault }: { readonly store: Store; readonly vault: TemplateVault },
  { clientId, galleryId }: Pick<GalleryRecord, 'clientId' | 'galleryId'>,
  userId: string,
  templates: readonly Float32Array[],
): Promise<void> {
  const gallery = (await store.galleries.get(clientId, galleryId))!;
  const template = vault.gallery(gallery).sealAll(userId, templates);
  const face = { userId, userName: `name of ${userId}`, template, embeddingSpec: formerSpec };
  const written = await store.faces.enrol(gallery.id, face, true);
  if (typeof written !== 'number') throw new Error(written);
}
