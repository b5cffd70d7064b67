import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEngineInThread } from '../src/open.ts';
import { SPOOF_THRESHOLD } from '../src/pad/thresholds.ts';
import type { AnalyzeRequest, Engine, Face, Pose } from '../src/types.ts';
import { hasPadFiles, openPadEngine } from './support/pad-pack.ts';

const FOLDER = fileURLToPath(new URL('../../../../shared/eval/', import.meta.url));

/** What the manifests hold that is used here. */
interface Entry {
  readonly file: string;
  readonly split: 'dev' | 'test';
  readonly label: unknown;
  readonly faces?: number;
}

let engine: Engine;

const entries = (task: string): Entry[] =>
  JSON.parse(readFileSync(join(FOLDER, task, 'manifest.json'), 'utf8'));
const testEntries = (task: string) => entries(task).filter(({ split }) => split === 'test');

const analyze = (task: string, { file }: Entry, request: Partial<AnalyzeRequest>) =>
  engine.analyze(readFileSync(join(FOLDER, task, file)), {
    attributes: [],
    maxFaces: 1,
    search: 'fast',
    ...request,
  });

/** Mean of the shares of right answers on both sides. */
function balanced(right: { yes: number; no: number }, all: { yes: number; no: number }): number {
  return (right.yes / all.yes + right.no / all.no) / 2;
}

/** Direction of the head as in docs/api.md. */
function direction({ yaw, pitch }: Pose): string {
  if (Math.abs(yaw) < 12 && Math.abs(pitch) < 12) return 'front';
  if (Math.abs(yaw) > Math.abs(pitch)) return yaw > 0 ? 'left' : 'right';
  return pitch > 0 ? 'up' : 'down';
}

describe.skipIf(!existsSync(FOLDER))('on photographs', () => {
  beforeAll(async () => {
    engine = await openEngineInThread({ image: { maxBytes: 20 << 20, maxPixels: 50e6 } });
  });
  afterAll(() => engine.close());

  it('eyes and mouths are open or closed as labelled', async () => {
    const count = () => ({ yes: 0, no: 0 });
    const [eyes, eyesRight, mouths, mouthsRight] = [count(), count(), count(), count()];
    for (const entry of testEntries('eyes_mouth')) {
      const label = entry.label as { eyes: string; mouth: string };
      const [face] = (await analyze('eyes_mouth', entry, { attributes: ['eyes', 'mouth'] })).faces;
      for (const state of label.eyes === 'open' || label.eyes === 'closed'
        ? [face?.eyes?.left.state, face?.eyes?.right.state]
        : []) {
        tally(eyes, eyesRight, label.eyes, state);
      }
      if (label.mouth !== 'any') tally(mouths, mouthsRight, label.mouth, face?.mouth?.state);
    }
    expect(eyes.yes).toBeGreaterThan(50);
    expect(mouths.no).toBeGreaterThan(50);
    expect(balanced(eyesRight, eyes)).toBeGreaterThanOrEqual(0.97);
    expect(balanced(mouthsRight, mouths)).toBeGreaterThanOrEqual(0.97);
  });

  function tally(
    all: { yes: number; no: number },
    right: { yes: number; no: number },
    label: string,
    found?: string,
  ): void {
    const side = label === 'open' ? 'yes' : 'no';
    all[side]++;
    if (found === label) right[side]++;
  }

  it('turned, raised, lowered and frontal heads are distinguished', async () => {
    let all = 0;
    let right = 0;
    for (const entry of testEntries('pose')) {
      const side = /^(left|right|frontal|up|down)/.exec(String(entry.label))?.[1];
      if (side === undefined) continue;
      // The labels' left is the left of the picture: the person's own right.
      const wanted = { left: 'right', right: 'left', frontal: 'front' }[side] ?? side;
      const [face] = (await analyze('pose', entry, { attributes: ['pose'] })).faces;
      all++;
      if (face?.pose && direction(face.pose) === wanted) right++;
    }
    expect(all).toBeGreaterThan(40);
    // 2 of 47 are wrong, one of them a face that is not found.
    expect(right / all).toBeGreaterThanOrEqual(0.95);
  });

  it('a picture on its side or upside down gives the same head, rolled', async () => {
    for (const turned of [0, 90, 180, 270]) {
      const entry = entries('pose').find(({ label }) => label === `rot_${turned}`)!;
      const [face] = (await analyze('pose', entry, { attributes: ['pose'] })).faces;
      const off = ((face!.pose!.roll - turned + 4 + 540) % 360) - 180;
      expect([turned, Math.abs(off) < 12]).toEqual([turned, true]);
      expect([turned, Math.abs(face!.pose!.yaw - 15) < 6]).toEqual([turned, true]);
    }
  });

  it('exactly the people of a group are found', async () => {
    for (const entry of testEntries('crowd')) {
      const { found } = await analyze('crowd', entry, { search: 'thorough' });
      expect([entry.file, found]).toEqual([entry.file, entry.faces]);
    }
  });

  it('forehead and hair of a portrait are not taken for a face on a card', async () => {
    const file = 'public/alex_lacamoire/examples_alex_lacamoire.jpg';
    const portrait = { file, split: 'dev', label: null } as const;
    expect((await analyze('verification', portrait, { maxFaces: 8, search: 'card' })).faces).toHaveLength(1);
  });

  it('no face is found in pictures without faces, except a cartoon', async () => {
    for (const entry of testEntries('negatives')) {
      if (entry.file.startsWith('cartoon/')) continue;
      for (const search of ['fast', 'thorough'] as const) {
        expect([entry.file, (await analyze('negatives', entry, { search })).found]).toEqual([entry.file, 0]);
      }
    }
  });

  it('nearly all ordinary press photos pass every quality rule', async () => {
    const photos = entries('verification').filter(({ file }) => file.startsWith('public/'));
    const failed: string[] = [];
    for (const entry of photos) {
      const [face] = (await analyze('verification', entry, { attributes: ['quality'], minFaceSize: 60 }))
        .faces as [Face | undefined];
      for (const rule of face?.quality ?? [])
        if (!rule.passed) failed.push(`${entry.file}: ${rule.name} ${rule.value}`);
    }
    expect(photos.length).toBeGreaterThan(50);
    expect(failed.length, failed.join('\n')).toBeLessThanOrEqual(photos.length * 0.1);
  });
});

describe.skipIf(!existsSync(FOLDER) || !hasPadFiles)('a head that nearly fills the picture', () => {
  let pad: Engine;
  beforeAll(async () => {
    pad = await openPadEngine();
  });
  afterAll(() => pad.close());

  it.each([
    ['is bona fide where it is 0.95 times as long as the picture is wide', 'cf977ed2', 'real', true, []],
    ['has no verdict where that depends on the border: a person', '9d20e3f7', 'real', false, ['tight']],
    ['has no verdict where that depends on the border: a print', 'c09cc56f', 'fake', true, ['tight']],
    ['is an attack whatever the border: a print', '94a54dcd', 'fake', false, []],
  ] as const)('%s', async (_, name, kind, isBonaFide, unclear) => {
    const bytes = readFileSync(join(FOLDER, 'pad2', 'feni', `kiosk_${kind}_${name}.jpg`));
    const { faces } = await pad.analyze(bytes, { attributes: ['spoof'], maxFaces: 1, search: 'fast' });
    const { score, unclear: found } = faces[0]!.spoof!;
    expect([score < SPOOF_THRESHOLD, found]).toEqual([isBonaFide, unclear]);
  });
});
