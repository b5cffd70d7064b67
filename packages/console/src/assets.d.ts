/** Style sheets are imported for what they do. */
declare module '*.css' {}

/** What the bundler fills in. */
interface ImportMeta {
  readonly env: { /** Where the pages are served, `/console/`. */ readonly BASE_URL: string };
}
