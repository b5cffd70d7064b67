/**
 * Pictures that a person may be enrolled with; each is a template. Programs for cameras train with 10 to 50. A picture
 * that is added rewrites all templates of the person: 51 kB of 50 with 256 dimensions.
 */
export const maxTemplates = 50;
