import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, loadConfig, startServer } from '@wajah/server';
import { Api } from './api.ts';

/** A temporary server for the demo. */
export interface DemoServer {
  readonly api: Api;
  readonly workers: number;
  /** Thresholds in force, one line. */
  readonly settings: string;
  /** Stops the server and removes its data. */
  close(): Promise<void>;
}

/** Starts a server with the settings of the environment, but a temporary data directory, no quotas and no rate limit. */
export async function startDemoServer(): Promise<DemoServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'wajah-demo-'));
  const removeData = () => rm(dataDir, { recursive: true, force: true });
  try {
    const config = loadConfig();
    const own = { ...config, host: '127.0.0.1', port: 0, dataDir, secretKey: null, corsOrigins: [] };
    const limits = { ...config.limits, callsPerMinute: 10_000_000 };
    const server = await startServer({ ...own, limits }, createLogger('silent'));
    const { accessToken } = await server.context.accounts.create({
      clientId: 'demo',
      quota: { galleries: -1 },
    });
    const { threshold } = server.context.engine;
    return {
      api: new Api(server.url, accessToken),
      workers: config.engine.workers,
      settings: `Threshold ${config.thresholds.verify ?? threshold}, FPIR ${config.thresholds.identifyFpir}.`,
      close: async () => {
        await server.close();
        await removeData();
      },
    };
  } catch (error) {
    await removeData();
    throw error;
  }
}
