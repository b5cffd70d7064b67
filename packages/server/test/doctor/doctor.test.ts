import { copyFileSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Environment } from '../../src/config/config.ts';
import { runDoctor } from '../../src/doctor/doctor.ts';
import { releasedKey } from '../support/released-schemas.ts';
import { type Broken, requireFinding, soundDirectory } from './installation.ts';

/** Another program that listens on a free port. */
async function occupiedPort(): Promise<string> {
  const server = createServer((socket) => socket.destroy());
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return String((server.address() as { port: number }).port);
}

/** Installs a pack whose files are not those of its manifest. */
function damagedPack(dataDir: string, id: string): Environment {
  const folder = join(dataDir, 'packs', id);
  mkdirSync(folder, { recursive: true });
  copyFileSync(new URL(`../../../engine/data/packs/${id}.json`, import.meta.url), join(folder, 'pack.json'));
  return {};
}

const settings: Broken[] = [
  {
    name: 'a setting that is not allowed',
    make: () => ({ WAJAH_PORT: '99999' }),
    section: 'machine',
    finding: ['bad', 'settings', /WAJAH_PORT is "99999"; allowed: a whole number/],
  },
  {
    name: 'a misspelt setting',
    make: () => ({ WAJAH_PROT: '1' }),
    section: 'machine',
    finding: ['doubtful', 'WAJAH_PROT', /is no setting; did you mean WAJAH_PORT/],
  },
  {
    name: 'more workers than cores',
    make: () => ({ WAJAH_ENGINE_WORKERS: '64' }),
    section: 'machine',
    finding: ['doubtful', 'cores', /WAJAH_ENGINE_WORKERS is 64.*lower it/],
  },
  {
    name: 'more memory for galleries than the machine has',
    make: () => ({ WAJAH_MATCH_MEMORY_MB: '1048576' }),
    section: 'machine',
    finding: ['doubtful', 'memory', /lower WAJAH_MATCH_MEMORY_MB/],
  },
  {
    name: 'settings that contradict each other',
    make: () => ({ WAJAH_MAX_IMAGE_BYTES: '100MiB' }),
    section: 'contradictions',
    finding: [
      'doubtful',
      'WAJAH_MAX_IMAGE_BYTES, WAJAH_MAX_BODY_BYTES',
      /does not fit .* set WAJAH_MAX_BODY_BYTES/,
    ],
  },
  {
    name: 'every caller is trusted as a proxy',
    make: () => ({ WAJAH_TRUST_PROXY: 'true', WAJAH_HOST: '0.0.0.0' }),
    section: 'contradictions',
    finding: ['doubtful', 'WAJAH_TRUST_PROXY, WAJAH_HOST', /X-Forwarded-For .* name the networks/],
  },
  {
    name: 'a data directory that the database replaced, still with people',
    make: () => ({ WAJAH_DATABASE_URL: 'postgres://wajah@127.0.0.1:1/x', WAJAH_SECRET_KEY: releasedKey }),
    section: 'contradictions',
    finding: ['doubtful', 'WAJAH_DATABASE_URL, WAJAH_DATA_DIR', /migrate-store --from data --to database/],
  },
  {
    name: 'a port that another program has',
    make: async () => ({ WAJAH_PORT: await occupiedPort() }),
    section: 'port',
    finding: ['bad', 'port', /in use by another program; stop it/],
  },
  {
    name: 'an address of another machine',
    make: () => ({ WAJAH_HOST: '203.0.113.7' }),
    section: 'port',
    finding: ['bad', 'port', /EADDRNOTAVAIL\); the address is not one of this machine/],
  },
];

const packs: Broken[] = [
  {
    name: 'a model pack that is not installed',
    make: () => ({ WAJAH_PACK: 'opencv-zoo' }),
    section: 'model pack',
    finding: ['bad', 'model pack', /opencv-zoo is not installed: wajah models pull opencv-zoo/],
  },
  {
    name: 'a model pack whose files have changed',
    make: (dataDir) => ({ WAJAH_PACK: 'opencv-zoo', ...damagedPack(dataDir, 'opencv-zoo') }),
    section: 'model pack',
    finding: [
      'bad',
      'model pack',
      /is damaged, and no server starts: \S+.* missing or changed; install it again/,
    ],
  },
  {
    name: 'no PAD pack',
    make: () => ({}),
    section: 'PAD pack',
    finding: ['doubtful', 'PAD pack', /install it with "npx wajah models pull minifasnet"/],
  },
  {
    name: 'a PAD pack whose files have changed',
    make: (dataDir) => damagedPack(dataDir, 'minifasnet'),
    section: 'PAD pack',
    finding: ['bad', 'PAD pack', /minifasnet is damaged \(minifasnet-v2.onnx.*is not used; install it again/],
  },
];

describe('wajah doctor', () => {
  it('finds nothing bad in a sound installation', async () => {
    const env = { WAJAH_DATA_DIR: soundDirectory(), WAJAH_PORT: '0', WAJAH_KEEP_FACE_CROPS: 'true' };
    const found = await runDoctor(env, ['contradictions', 'port', 'store']);
    expect(found.filter(({ state }) => state !== 'good')).toEqual([]);
  });

  it.each([...settings, ...packs])('finds $name, and says what to do', requireFinding);
});
