import { type Engine, openEngineInThread, type PackChoice } from '@wajah/engine';
import type { EvalFolder, Split } from '../data/eval-folder.ts';
import type { ReportSection } from '../measure/figure.ts';
import { presentationsOf } from './presentation.ts';
import { presentationSections } from './report.ts';
import { respond } from './response.ts';

/** What is measured, and with which models. */
export interface PresentationRequest {
  readonly folder: EvalFolder;
  readonly split: Split;
  readonly cacheDir: string;
  readonly pack: PackChoice;
}

/** The pack of templates in use, and the sections: with the installed PAD networks, if there are any, and without. */
export async function evaluatePresentations(
  request: PresentationRequest,
): Promise<{ pack: string; sections: ReportSection[] }> {
  const { folder, split, pack } = request;
  const presentations = presentationsOf(folder, split);
  const measure = async (engine: Engine) => {
    const { padPack, spoofThreshold: threshold } = engine;
    const name = padPack === null ? 'built-in signals' : `with the pack ${padPack}`;
    const sections = presentationSections(await respond(engine, folder, presentations), { name, threshold });
    return { pack: `${engine.embeddingSpec.pack} ${engine.embeddingSpec.version}`, sections, padPack };
  };
  const installed = await withEngine(request, pack, measure);
  if (installed.padPack === null) return installed;
  const builtin = await withEngine(request, { ...pack, withoutPadNetworks: true }, measure);
  return { pack: installed.pack, sections: [...installed.sections, ...builtin.sections] };
}

async function withEngine<T>(
  { cacheDir }: PresentationRequest,
  pack: PackChoice,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const engine = await openEngineInThread({
    cacheDir,
    pack,
    image: { maxBytes: 64 << 20, maxPixels: 100e6 },
  });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}
