import { newDatabase } from './postgres.ts';
import { temporaryDirectory } from './temporary.ts';
import { startTestApp } from './test-app.ts';

/** The real app on a store of one of `storeKinds`, and the settings with which commands reach it. */
export async function startOnStore(kind: string, settings: Record<string, string> = {}) {
  const directory = temporaryDirectory();
  const database = kind === 'PostgreSQL' ? { WAJAH_DATABASE_URL: await newDatabase() } : null;
  const env = {
    WAJAH_DATA_DIR: directory,
    WAJAH_SECRET_KEY: '06'.repeat(32),
    ...settings,
    ...database,
  } as Record<string, string>;
  return { server: await startTestApp(env, { directory }), env };
}
