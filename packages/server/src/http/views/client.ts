/** What is left, by the names of the specification. */
export function countersView({ hits, faces, galleries }: { hits: number; faces: number; galleries: number }) {
  return { remaining_limit: { n_api_hits: hits, n_face: faces, n_facegallery: galleries } };
}
