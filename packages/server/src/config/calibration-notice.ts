import type { Engine } from '@wajah/engine';

/** What the start, `wajah doctor`, `/ready`, the console and the documents say of a pack without a measured calibration. */
export function provisionalNotice(pack: string): string {
  return `The calibration of the model pack ${pack} is provisional: it was computed from published operating points, and similarities may stand for other false match rates than they claim. Galleries of five people or more are normalised by their own people. Measure it on the people of the galleries with "npx wajah calibrate --gallery --install server", and restart the server.`;
}

/** The notice as a list, empty where the calibration was measured. */
export function calibrationNotices({
  provisional,
  embeddingSpec,
}: Pick<Engine, 'provisional' | 'embeddingSpec'>): readonly string[] {
  return provisional ? [provisionalNotice(embeddingSpec.pack)] : [];
}
