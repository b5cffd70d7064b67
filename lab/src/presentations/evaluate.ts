import { openEngineInThread, type PackChoice, SPOOF_THRESHOLD } from '@wajah/engine';
import type { EvalFolder, Split } from '../data/eval-folder.ts';
import type { ReportSection } from '../measure/figure.ts';
import { filmFrames, nestedSections } from './nested.ts';
import { presentationsOf } from './presentation.ts';
import { presentationSections } from './report.ts';
import { respond } from './response.ts';

/** What is measured, and with which models. */
export interface PresentationRequest {
  readonly folder: EvalFolder;
  readonly split: Split;
  readonly pack: PackChoice;
}

/**
 * The pack of templates in use, and the sections of the report.
 * @throws Error where no PAD networks are installed: there is nothing to measure
 */
export async function evaluatePresentations(
  request: PresentationRequest,
): Promise<{ pack: string; sections: ReportSection[] }> {
  const { folder, split, pack } = request;
  const presentations = presentationsOf(folder, split);
  const image = { maxBytes: 64 << 20, maxPixels: 100e6 };
  const engine = await openEngineInThread({ pack, image });
  try {
    const { padPack, embeddingSpec } = engine;
    if (padPack === null) {
      throw new Error('no PAD networks are installed, and without them no presentation is judged');
    }
    const responses = await respond(engine, folder, presentations);
    const name = `with the pack ${padPack}`;
    const sections = [
      ...presentationSections(responses, { name, threshold: SPOOF_THRESHOLD }),
      ...nestedSections([...responses, ...(await filmFrames(engine, folder, split))]),
    ];
    return { pack: `${embeddingSpec.pack} ${embeddingSpec.version}`, sections };
  } finally {
    await engine.close();
  }
}
