import { cpus } from 'node:os';
import { join } from 'node:path';
import { openEngine, type PackChoice } from '@wajah/engine';
import { type Species, STILL_SPECIES } from '../attacks/species.ts';
import { EvalFolder, type Split } from '../data/eval-folder.ts';
import type { ReportSection } from '../measure/figure.ts';
import { keptAnalyses } from '../run/kept-analyses.ts';
import { withProgress } from '../run/progress.ts';
import { attackSessions } from './attack-sessions.ts';
import { FILM_ATTACKS, filmAttackGroups } from './film-attacks.ts';
import { filmSessions, readFilms } from './films.ts';
import type { SessionGroup } from './outcome.ts';
import { sessionSections } from './report.ts';
import { openSessionService } from './service.ts';
import { publicStills } from './stills.ts';

export interface SessionsRequest {
  readonly data: string;
  readonly split: Split;
  readonly pack: PackChoice;
  /** Parts of the names of species; undefined: honest sessions, replays and all species. */
  readonly species?: readonly string[] | undefined;
  /**
   * Sessions of each species, each with the picture of another person, and of each film up to four; 2 or more. Of animated
   * stills up to three sessions for each person, of other generated species at most eight.
   */
  readonly limit: number;
  /** Folder where generated frames and their analyses are stored and found again; undefined: they are not stored. */
  readonly frames?: string | undefined;
}

/** Sections of the report, and what the sessions were judged with. */
export interface MeasuredSessions {
  /** The packs that the sessions were judged with. */
  readonly pack: string;
  readonly groups: readonly SessionGroup[];
  readonly sections: ReportSection[];
  readonly notes: string[];
}

/**
 * Runs real sessions of films and of generated attacks through the services.
 * @throws Error when the folder has neither films nor pictures, or ffmpeg is missing
 */
export async function measureSessions(request: SessionsRequest): Promise<MeasuredSessions> {
  const opened = await openEngine({
    pack: request.pack,
    image: { maxBytes: 64 << 20, maxPixels: 100e6 },
    workers: Math.min(8, cpus().length),
    queue: 1000,
    deadlineMs: 300_000,
  });
  try {
    const { frames } = request;
    const engine = frames === undefined ? opened : keptAnalyses(opened, join(frames, 'analyses'));
    const service = await openSessionService(engine, request.pack.withoutPadNetworks === true);
    try {
      const folder = new EvalFolder(request.data);
      const groups = [
        ...(await filmGroups(service, engine, folder, request)),
        ...(await attackGroups(service, engine, folder, request)),
      ];
      if (groups.every(({ outcomes }) => outcomes.length === 0)) {
        throw new Error(`${request.data} has neither films nor suitable stills for ${request.split}`);
      }
      const pack = packsOf(engine);
      const { padPack } = engine;
      const judgedWith = padPack === null ? 'without a PAD pack' : `with the pack ${padPack}`;
      const sections = sessionSections(groups, judgedWith);
      return { pack, groups, sections, notes: [`Judged by ${pack}.`, intervalsNote] };
    } finally {
      await service.close();
    }
  } finally {
    await opened.close();
  }
}

function packsOf({ embeddingSpec: { pack, version }, padPack }: OpenedEngine): string {
  return `${pack} ${version} ${padPack === null ? 'without a PAD pack' : `with ${padPack}`}`;
}

const intervalsNote =
  'Intervals are of 95 % and about people: each has one vote, the share of their sessions. Each session has a client of its own, the second try that of the first.';

type Service = Awaited<ReturnType<typeof openSessionService>>;
type OpenedEngine = Awaited<ReturnType<typeof openEngine>>;

/** Sessions of one film at most: more would send the same moments again. */
const SESSIONS_PER_FILM = 4;

const FILM_GROUPS = ['honest, first try', 'honest, second try', 'replayed film'] as const;

async function filmGroups(
  service: Service,
  engine: OpenedEngine,
  folder: EvalFolder,
  { split, species, limit }: SessionsRequest,
): Promise<SessionGroup[]> {
  const wanted = (name: string) => isWanted(name, species);
  if (![...FILM_GROUPS, ...FILM_ATTACKS].some(wanted)) return [];
  const films = await readFilms(engine, folder, split);
  const real = films.filter(({ label }) => label === 'real');
  const replays = films.filter(({ label }) => label === 'spoof');
  const sessions = Math.min(limit, SESSIONS_PER_FILM);
  const isHonestWanted = wanted(FILM_GROUPS[0]) || wanted(FILM_GROUPS[1]);
  const honest = await filmSessions(service, isHonestWanted ? real : [], {
    sessions,
    again: wanted(FILM_GROUPS[1]),
  });
  const replayed = await filmSessions(service, wanted(FILM_GROUPS[2]) ? replays : [], {
    sessions,
    again: false,
  });
  return [
    { name: FILM_GROUPS[0], kind: 'honest', animated: false, outcomes: honest.first },
    { name: FILM_GROUPS[1], kind: 'honest', animated: false, outcomes: honest.second },
    { name: FILM_GROUPS[2], kind: 'attack', animated: false, outcomes: replayed.first },
    ...(await filmAttackGroups(service, real, sessions, wanted)),
  ];
}

async function attackGroups(
  service: Service,
  engine: OpenedEngine,
  folder: EvalFolder,
  { split, species, limit, frames }: SessionsRequest,
): Promise<SessionGroup[]> {
  const wanted = STILL_SPECIES.filter(({ name }) => isWanted(name, species));
  if (wanted.length === 0) return [];
  const isSeveral = ({ several }: Species) => several === true;
  const read = (several: boolean) => publicStills(engine, folder, split, { count: limit, several });
  const single = wanted.every(isSeveral) ? [] : await read(false);
  const several = wanted.some(isSeveral) ? await read(true) : [];
  const groups: SessionGroup[] = [];
  const run = async (step: () => void) => {
    for (const one of wanted) {
      const usable = isSeveral(one) ? several : single;
      // Animated stills have a goal of their own, so they are measured in more sessions than others and than there are people.
      const count = one.animated ? limit : Math.min(limit, MOST_PLAIN, usable.length);
      const outcomes = await attackSessions(service, engine, one, usable, { count, folder: frames, step });
      groups.push({ name: one.name, kind: 'attack', animated: one.animated, outcomes });
    }
  };
  await withProgress('attacks', wanted.length * limit, run, 'sessions');
  return groups;
}

/** Most sessions of a species that is not animated. */
const MOST_PLAIN = 8;

/** Whether a name is asked for by a part of it. */
function isWanted(name: string, asked: readonly string[] | undefined): boolean {
  return asked === undefined || asked.some((part) => name.includes(part));
}
