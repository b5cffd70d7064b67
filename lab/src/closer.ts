// `npm run evaluate:closer` reproduces the figures of the step `face closer` (docs/adr/0061-a-step-comes-closer.md).
import { join } from 'node:path';
import {
  type Engine,
  type Face,
  judgePerspective,
  openEngineInThread,
  pairsToCompare,
  perspectiveChange,
} from '@wajah/engine';
import { KINDS, type Kind, type RenderedSession, renderSession } from './attacks/closer.ts';
import { readStill, type Still } from './attacks/still.ts';
import { writeResult } from './measure/report.ts';
import type { ResultTable } from './measure/tables.ts';
import { seeded } from './recapture/random.ts';
import { readOptions } from './run/command.ts';
import { framesOf } from './sessions/film.ts';
import { publicStills } from './sessions/stills.ts';

/** Stills of different people, and sessions of each film: so many that a run takes a quarter of an hour. */
const LIMITS = { stills: 16, sessions: 3 } as const;
/** Largest yaw and pitch of a frontal frame, degrees: of a session, and of what is rendered again. */
const FRONTAL = { seen: 12, rendered: 9 } as const;
/** Seconds: between the frames of a step at most, and between steps at least. */
const APART = { frames: 0.6, steps: 1 } as const;
/** Largest change of the size at one distance, and least growth of what came closer. */
const GROWTH = { same: 1.1, closer: 1.35 } as const;

const {
  folder,
  cache,
  split,
  results = 'lab/results',
} = readOptions(['--split', 'dev', ...process.argv.slice(2)]);
const engine = await openEngineInThread({ cacheDir: cache, image: { maxBytes: 64 << 20, maxPixels: 100e6 } });
const tables = [await renderings(), await realFilms()];
await engine.close();
writeResult(results, `closer-${split}`, { pack: 'builtin', tables, notes: [] });

type Judgement = ReturnType<typeof judgePerspective>;

function judged(far: readonly Face[], near: readonly Face[]): Judgement {
  const pairs = pairsToCompare(far, near);
  return judgePerspective(pairs.map(([a, b]) => perspectiveChange(a.aligned!, b.aligned!)));
}

async function analyzed(from: Pick<Engine, 'analyze'>, images: readonly Uint8Array[]): Promise<Face[]> {
  const faces: Face[] = [];
  for (const image of images) {
    const found = await from.analyze(image, { attributes: ['pose', 'aligned'], maxFaces: 1, search: 'fast' });
    faces.push(...found.faces);
  }
  return faces;
}

async function renderings(): Promise<ResultTable> {
  const sessions = new Map<string, Judgement[]>();
  const add = async (source: string, kind: Kind, { far, near }: RenderedSession) => {
    const judgement = judged(await analyzed(engine, far), await analyzed(engine, near));
    const name = `${source}: ${kind}`;
    sessions.set(name, [...(sessions.get(name) ?? []), judgement]);
    console.log(name, judgement.verdict, judgement.change.toFixed(3));
  };
  const stills = await publicStills(engine, folder, split, { count: LIMITS.stills, several: false });
  for (const still of stills) {
    for (const kind of KINDS) {
      await add(
        'stills',
        kind,
        await renderSession(() => still, kind, seeded(`closer ${still.person} ${kind}`)),
      );
    }
  }
  for (const { file, label } of folder.has('films') ? folder.entries('films', split) : []) {
    if (label !== 'real') continue;
    const moments = await momentsOf(join(folder.root, 'films', file));
    for (let i = 0; i < LIMITS.sessions; i++) {
      for (const kind of KINDS) {
        const random = seeded(`closer ${file} ${i} ${kind}`);
        const moment = () => moments[Math.floor(random.between(0, moments.length))]!;
        await add('films', kind, await renderSession(moment, kind, random));
      }
    }
  }
  return tableOf('Faces that come closer, rendered', sessions);
}

/** The frontal frames of a film, cut as stills. */
async function momentsOf(path: string): Promise<Still[]> {
  const moments: Still[] = [];
  for (const { image, face } of await framesOf(engine, path)) {
    if (!isFrontal(face, FRONTAL.rendered)) continue;
    const still = await readStill(engine, image);
    if (still) moments.push(still);
  }
  return moments;
}

function isFrontal({ pose }: Face, most: number): boolean {
  return pose !== undefined && Math.max(Math.abs(pose.yaw), Math.abs(pose.pitch)) < most;
}

/** Windows of two far and two near frames of films as they are. */
async function realFilms(): Promise<ResultTable> {
  const windows = new Map<string, Judgement[]>();
  for (const { file } of folder.has('films') ? folder.entries('films', split) : []) {
    const frames: { at: number; face: Face }[] = [];
    for (const { at, image } of await framesOf(engine, join(folder.root, 'films', file))) {
      const [face] = await analyzed(engine, [image]);
      if (face && isFrontal(face, FRONTAL.seen)) frames.push({ at, face });
    }
    const twos = frames.flatMap((one, i) => {
      const next = frames[i + 1];
      if (!next || next.at - one.at > APART.frames) return [];
      const size = one.face.aligned!.unit + next.face.aligned!.unit;
      return [{ at: one.at, faces: [one.face, next.face], size }];
    });
    for (const far of twos) {
      for (const near of twos) {
        const growth = near.size / far.size;
        const same = growth < GROWTH.same && growth > 1 / GROWTH.same;
        if (Math.abs(far.at - near.at) < APART.steps || (!same && growth < GROWTH.closer)) continue;
        const name = `${file}: ${same ? 'one distance' : `${GROWTH.closer} times and more`}`;
        windows.set(name, [...(windows.get(name) ?? []), judged(far.faces, near.faces)]);
      }
    }
    console.log(file);
  }
  return tableOf('Windows of films', windows);
}

function tableOf(title: string, groups: ReadonlyMap<string, readonly Judgement[]>): ResultTable {
  const rows = [...groups].map(([name, all]) => {
    const of = (verdict: string) => String(all.filter((one) => one.verdict === verdict).length);
    const changes = all.flatMap(({ change, pairs }) => (pairs > 0 ? change : [])).sort((a, b) => a - b);
    const mean = changes.reduce((sum, change) => sum + change, 0) / changes.length;
    const spread = Math.sqrt(changes.reduce((sum, change) => sum + (change - mean) ** 2, 0) / changes.length);
    const figures = [
      `${mean.toFixed(3)}, ${spread.toFixed(3)}`,
      `${changes[0]?.toFixed(3)}, ${changes.at(-1)?.toFixed(3)}`,
    ];
    return [name, String(all.length), of('head'), of('flat'), of('uncertain'), ...figures];
  });
  return {
    title,
    columns: ['', 'sessions', 'head', 'flat', 'uncertain', 'mean, deviation', 'least, largest'],
    rows,
  };
}
