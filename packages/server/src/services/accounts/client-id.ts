/** What the first gallery of a client is called after it. */
const gallerySuffix = '@trial';

/** Names of galleries end at 120, so that a longer client could not name its first one. */
const maxLength = 120 - gallerySuffix.length;

const allowed = new RegExp(`^[A-Za-z0-9._@-]{1,${maxLength}}$`);

/** What `isClientId` accepts, in words. */
export const clientIdRule = `1 to ${maxLength} letters, digits or . _ @ -`;

/** Name of the gallery that a client gets when it registers. */
export function firstGalleryOf(clientId: string): string {
  return `${clientId}${gallerySuffix}`;
}

export function isClientId(text: string): boolean {
  return allowed.test(text);
}
