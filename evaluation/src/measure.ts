import { readFileSync, writeFileSync } from 'node:fs';
import { type Engine, openEngineInThread } from '@wajah/engine';
import type { EvalFolder, Split } from './data/eval-folder.ts';
import { detectionFigures } from './measure/detection.ts';
import { section } from './measure/figure.ts';
import { poseFigures } from './measure/pose.ts';
import {
  colourFaces,
  enrolmentFigures,
  lfwFigures,
  listedPairFigures,
  verificationFaces,
} from './measure/recognition.ts';
import { replaceBlock } from './measure/report.ts';
import { eyeAndMouthFigures, maskFigures } from './measure/states.ts';
import { readOptions } from './run/command.ts';

/** Every figure of a split, as Markdown. */
async function report(engine: Engine, folder: EvalFolder, split: Split): Promise<string> {
  const faces = await verificationFaces(engine, folder, split);
  const { eyes, mouth } = await eyeAndMouthFigures(engine, folder, split);
  const listed = listedPairFigures(engine, folder, split, faces);
  return [
    section('Finding faces', await detectionFigures(engine, folder, split)),
    section('Recognition: all pairs of greyscale LFW', lfwFigures(engine, faces)),
    section('Recognition: listed pairs', listed),
    section('Mask', await maskFigures(engine, folder, split, faces)),
    section('Eyes', eyes),
    section('Mouth', mouth),
    section('Head pose', await poseFigures(engine, folder, split)),
  ].join('\n\n');
}

/** What a service does with these people. */
async function enrolment(engine: Engine, folder: EvalFolder): Promise<string> {
  const faces = await colourFaces(engine, folder);
  return ['public', 'bbt']
    .map((name) =>
      section(`Enrolment and identification: \`${name}\``, enrolmentFigures(engine, faces, name)),
    )
    .join('\n\n');
}

const options = readOptions();
const engine = await openEngineInThread({
  cacheDir: options.cache,
  image: { maxBytes: 64 << 20, maxPixels: 100e6 },
});
try {
  const blocks = {
    [options.split]: await report(engine, options.folder, options.split),
    enrolment: await enrolment(engine, options.folder),
  };
  for (const text of Object.values(blocks)) console.log(`${text}\n`);
  if (options.out !== undefined) {
    let page = readFileSync(options.out, 'utf8');
    for (const [name, text] of Object.entries(blocks)) page = replaceBlock(page, name, text);
    writeFileSync(options.out, page);
  }
} finally {
  await engine.close();
}
