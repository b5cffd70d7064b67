import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { EvalFolder } from '../../lab/src/data/eval-folder.ts';
import { filmAttackGroups } from '../../lab/src/sessions/film-attacks.ts';
import { type Film, filmSessions, readFilms } from '../../lab/src/sessions/films.ts';
import { openSessionService, type SessionService } from '../../lab/src/sessions/service.ts';
import { sharedEngine } from '../../packages/engine/test/support/shared-engine.ts';

const folder = fileURLToPath(new URL('../../../shared/eval/', import.meta.url));
const ffmpeg = spawnSync('ffmpeg', ['-version']).status === 0;
const perFilm = 1;

describe.skipIf(!existsSync(`${folder}films`) || !ffmpeg)('the films of people who turn the head', () => {
  let service: SessionService;
  let films: Film[];

  beforeAll(async () => {
    // Whether frames were sent before is judged without the spoof check, which would refuse many of these sessions.
    vi.stubEnv('WAJAH_SPOOF_THRESHOLD', '1');
    vi.stubEnv('WAJAH_UNCLEAR_SPOOF', 'accept');
    const engine = await sharedEngine();
    service = await openSessionService(engine);
    const all = await readFilms(engine, new EvalFolder(folder), 'dev');
    films = all.filter(({ label }) => label === 'real').slice(0, 2);
    return () => service.close();
  });

  it('pass twice, with other moments', async () => {
    const { first, second } = await filmSessions(service, films, { sessions: perFilm, again: true });
    const all = [...first, ...second];
    expect(all.length).toBeGreaterThan(films.length);
    expect(all.filter(({ passed }) => !passed)).toEqual([]);
  });

  it('A9: do not pass again in another light, mirrored, turned, cropped or warped', async () => {
    const groups = await filmAttackGroups(service, films, perFilm, (name) =>
      name.includes('earlier session'),
    );
    expect(groups).toHaveLength(6);
    // A mask hides half of a face from the mesh.
    const masked = films.find(({ file }) => file === 'live_z0.mp4')?.person;
    for (const { name, outcomes } of groups) {
      expect(outcomes.length).toBeGreaterThan(0);
      const passed = outcomes.filter((outcome) => outcome.passed && outcome.person !== masked);
      expect([name, passed]).toEqual([name, []]);
    }
  });
});
