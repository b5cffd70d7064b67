import { readFileSync, writeFileSync } from 'node:fs';
import { openEngineInThread } from '@wajah/engine';
import { analyzeEntries, withFace } from '../measure/analyze.ts';
import { section } from '../measure/figure.ts';
import { replaceBlock } from '../measure/report.ts';
import { spoofFigures } from '../measure/spoof.ts';
import { readOptions } from '../run/command.ts';

const { folder, cache, packs, split, out } = readOptions();
/** One of so many greyscale faces is measured: there are many, and they resemble each other. */
const GREY_STEP = 10;
const image = { maxBytes: 64 << 20, maxPixels: 100e6 };

/** Report section of a split. @param packsDir folder of installed packs */
async function measured(title: string, packsDir?: string): Promise<string> {
  const pack =
    packsDir === undefined ? {} : { pack: { id: 'builtin', packsDir, acceptNonCommercial: false } };
  const engine = await openEngineInThread({ cacheDir: cache, image, ...pack });
  try {
    const all = folder.entries('verification', split);
    const grey = all.filter(({ file }) => file.startsWith('lfw/')).filter((_, i) => i % GREY_STEP === 0);
    const chosen = [...all.filter(({ file }) => !file.startsWith('lfw/')), ...grey];
    const people = withFace(await analyzeEntries(engine, folder, 'verification', chosen, ['spoof']));
    const threshold = engine.spoofThreshold.toFixed(2);
    return section(`${title} (threshold ${threshold})`, await spoofFigures(engine, folder, split, people));
  } finally {
    await engine.close();
  }
}

const parts = [await measured('Presentation attack detection: the built-in signals')];
if (packs !== undefined)
  parts.push(await measured('Presentation attack detection: with the pack `minifasnet`', packs));
const text = parts.join('\n\n');
console.log(text);
if (out !== undefined) writeFileSync(out, replaceBlock(readFileSync(out, 'utf8'), `spoof ${split}`, text));
