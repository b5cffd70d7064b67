import type { Parameter } from '@wajah/contract';
import { type Engine, judgeLight } from '@wajah/engine';
import type { Entry, EvalFolder, Split } from '../data/eval-folder.ts';
import { plain, type ReportSection } from '../measure/figure.ts';
import type { SessionGroup, SessionOutcome } from '../sessions/outcome.ts';
import type { SessionService } from '../sessions/service.ts';

type Recorded = Entry<'sessions'>;

/** Group of recorded sessions of one kind. @example groupName({ attack: 'print' }) // 'recorded print' */
function groupName({ attack }: Pick<Recorded, 'attack'>): string {
  return attack === null ? 'recorded, bona fide' : `recorded ${attack}`;
}

/**
 * Runs the sessions of an export of `wajah sessions export` again, each with its own steps and frames and by a client of
 * its own.
 * @param wanted whether a group is asked for, by its name
 */
export async function recordedGroups(
  service: SessionService,
  folder: EvalFolder,
  split: Split,
  wanted: (name: string) => boolean,
): Promise<SessionGroup[]> {
  if (!folder.has('sessions')) return [];
  const groups = new Map<string, SessionOutcome[]>();
  for (const session of folder.entries('sessions', split).filter((one) => wanted(groupName(one)))) {
    const name = groupName(session);
    groups.set(name, [...(groups.get(name) ?? []), await runAgain(service, folder, session)]);
  }
  return [...groups].map(([name, outcomes]) => {
    const kind = name.endsWith('bona fide') ? 'honest' : 'attack';
    return { name, kind, animated: false, outcomes };
  });
}

async function runAgain(
  service: SessionService,
  folder: EvalFolder,
  { person, steps, frames }: Recorded,
): Promise<SessionOutcome> {
  if (frames.length === 0) return { person, passed: false, reasons: ['order'] };
  const client = await service.newClient();
  const draw = () => [...steps] as Parameter[];
  const give = async () =>
    frames.map(({ step, file }) => ({ step: step as Parameter, image: folder.bytes('pad', file) }));
  return { person, ...(await service.run(client, draw, give)) };
}

/** How often the faces of recorded sessions answered the lights; no section where none showed any. */
export async function recordedLights(
  engine: Pick<Engine, 'analyze'>,
  folder: EvalFolder,
  split: Split,
): Promise<ReportSection[]> {
  const sessions = folder.has('sessions') ? folder.entries('sessions', split) : [];
  const lit = sessions.filter(({ lights, light_frames }) => lights?.length === light_frames.length);
  if (lit.length === 0) return [];
  const counts = new Map<string, Record<string, number>>();
  for (const session of lit) {
    const verdict = await judgeLights(engine, folder, session);
    const count = counts.get(groupName(session)) ?? { answered: 0, not_answered: 0, cannot_tell: 0 };
    counts.set(groupName(session), { ...count, [verdict]: count[verdict]! + 1 });
  }
  const figures = [...counts].map(([name, count]) =>
    plain(
      name,
      `${count['answered']} answered`,
      `${count['not_answered']} not answered, ${count['cannot_tell']} cannot tell`,
    ),
  );
  return [{ title: 'Light challenge of recorded sessions', figures }];
}

async function judgeLights(engine: Pick<Engine, 'analyze'>, folder: EvalFolder, session: Recorded) {
  const frames = [...session.light_frames].sort((a, b) => a.light - b.light);
  const faces = await Promise.all(
    frames.map(async ({ file }) => {
      const wanted = { attributes: ['mesh', 'colours'], maxFaces: 1, search: 'fast' } as const;
      return (await engine.analyze(folder.bytes('sessions', file), wanted)).faces[0] ?? {};
    }),
  );
  return judgeLight(faces, session.lights ?? []).verdict;
}
