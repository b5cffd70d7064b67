declare module '*.css' {}

interface ImportMeta {
  readonly env: { /** `/console/` */ readonly BASE_URL: string };
}
