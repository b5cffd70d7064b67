import type { Engine } from '@wajah/engine';
import type { EvalFolder, Split } from '../data/eval-folder.ts';
import { eyeAndMouthJudgements, maskJudgements } from '../measure/states.ts';
import { calibrationError, type JudgedState, reliabilityPlot } from './reliability.ts';
import { writeAll } from './write.ts';

/** Writes the reliability plot of a task that reports probabilities, if plots are requested. @returns paths */
export async function writeStatePlots(
  engine: Engine,
  folder: EvalFolder,
  { plots, split }: { readonly plots?: string | undefined; readonly split: Split },
  task: string,
): Promise<string[]> {
  if (plots === undefined) return [];
  const judgements = await judgementsOf(engine, folder, split, task);
  if (judgements === undefined) return [];
  const title = `${task}, ${split}: expected calibration error ${calibrationError(judgements).toFixed(3)}`;
  const svg = reliabilityPlot(title, { [task]: judgements });
  return writeAll(plots, { [`${task}-${split}-reliability.svg`]: svg });
}

async function judgementsOf(
  engine: Engine,
  folder: EvalFolder,
  split: Split,
  task: string,
): Promise<JudgedState[] | undefined> {
  if (task === 'mask') return maskJudgements(engine, folder, split);
  if (task !== 'eyes' && task !== 'mouth') return undefined;
  return (await eyeAndMouthJudgements(engine, folder, split))[task];
}
