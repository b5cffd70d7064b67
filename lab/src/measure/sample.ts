import type { Engine, Face } from '@wajah/engine';
import type { EvalFolder, Task } from '../data/eval-folder.ts';
import type { ResultTable } from './tables.ts';

const TASKS = ['verification', 'mask', 'eyes_mouth', 'pose', 'pad', 'idcard', 'crowd', 'negatives'] as const;
const PICTURES_PER_TASK = 8;
/** Largest difference of two numbers that are one: positions are in shares of the face's width, all others 0…1 or radians. */
const TOLERANCE = 5e-4;
const DIGITS = 5;
const STATES = ['open', 'closed', 'masked', 'covered'];
/** Values of a template that are compared. */
const VALUES = 24;

/** What the engine computes for a fixed sample of the pictures of each task: a row for each. */
export async function sampleTable(engine: Engine, folder: EvalFolder): Promise<ResultTable> {
  const rows: string[][] = [];
  for (const task of TASKS) {
    const entries = folder.entries(task, 'test');
    const step = Math.max(1, Math.floor(entries.length / PICTURES_PER_TASK));
    for (const [i, { file }] of entries.entries()) {
      if (i % step !== 0) continue;
      const numbers = await numbersOf(engine, folder.bytes(task, file), task);
      rows.push([`${task} ${i}`, numbers.map((one) => Number(one.toFixed(DIGITS))).join(' ')]);
    }
  }
  return {
    title: 'What the engine computes for a sample of pictures',
    columns: ['picture', 'numbers'],
    rows,
  };
}

async function numbersOf(engine: Engine, picture: Uint8Array, task: Task): Promise<number[]> {
  const attributes = ['embedding', 'pose', 'eyes', 'mouth', 'mask', 'spoof'] as const;
  const search = task === 'crowd' || task === 'negatives' ? 'thorough' : task === 'idcard' ? 'card' : 'fast';
  const { faces, found } = await engine.analyze(picture, { attributes, maxFaces: 1, search });
  return [found, ...faces.flatMap(numbersOfFace)];
}

function numbersOfFace({ box, landmarks, embedding, pose, eyes, mouth, mask, spoof }: Face): number[] {
  const points = landmarks.flatMap(({ x, y }) => [(x - box.x) / box.width, (y - box.y) / box.width]);
  const angles = [pose!.yaw, pose!.pitch, pose!.roll].map((degrees) => (degrees * Math.PI) / 180);
  const states = [eyes!.left, eyes!.right, mouth!].flatMap(({ state, score }) => [
    STATES.indexOf(state),
    score,
  ]);
  return [
    ...points,
    ...angles,
    ...states,
    Number(mask!.worn),
    mask!.score,
    spoof!.score,
    ...embedding!.subarray(0, VALUES),
  ];
}

/** Names of the pictures for which two samples differ. */
export function differences(kept: ResultTable, now: ResultTable): string[] {
  const numbers = ([, cell = '']: readonly string[]) => cell.split(' ').map(Number);
  const isEqual = (one: readonly number[], other: readonly number[]) =>
    one.length === other.length && one.every((value, i) => Math.abs(value - other[i]!) <= TOLERANCE);
  const before = new Map(kept.rows.map((row) => [row[0], numbers(row)]));
  const changed = now.rows.filter((row) => !isEqual(numbers(row), before.get(row[0]) ?? []));
  const lost = kept.rows.filter(([name]) => !now.rows.some(([other]) => other === name));
  return [...changed, ...lost].map(([name = '']) => name);
}
