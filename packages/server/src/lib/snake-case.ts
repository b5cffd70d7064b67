/** @example snakeCaseOf('createdAt') // 'created_at' */
export const snakeCaseOf = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
