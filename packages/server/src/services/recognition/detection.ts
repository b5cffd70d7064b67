import { detectable, detectedFaces } from '@wajah/contract';
import type { Attribute } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import { mayDiagnose } from '../caller.ts';
import { byArea, mainFace } from '../faces/main-face.ts';
import { imageField } from '../faces/pictures.ts';
import type { SearchParts } from './identification.ts';
import type { RecognitionService } from './ports.ts';

/** Detects and analyses the faces of a picture, without a gallery. */
export function createDetection({
  pictures,
  comparisons: { thresholds },
  events,
}: SearchParts): RecognitionService['detect'] {
  return async (caller, request) => {
    const { image, landmarks = 'none', thorough } = request;
    // Spoof figures would tell an attacker whether a changed frame comes closer to passing a session.
    const mayMeasure = (name: string) => name !== 'spoof' || mayDiagnose(caller);
    const refused = request.attributes?.find((name) => !mayMeasure(name));
    if (refused) throw new Refusal('attributeScope', { attribute: refused, scope: 'diagnostics' });
    const requested = (request.attributes ?? detectable).filter(mayMeasure);
    const bytes = pictures.decode(imageField, image);
    const attributes: Attribute[] = [...requested];
    if (landmarks === 'mesh') attributes.push('mesh');
    const maxFaces = request.maxFaces ?? detectedFaces.byDefault;
    const options = { attributes, maxFaces, search: thorough ? 'thorough' : 'fast' } as const;
    const analysis = await pictures.analyze(imageField, bytes, options, caller);
    mainFace(analysis, imageField.name);
    events.observe('faces_detected', caller, { found: analysis.found });
    const faces = analysis.faces.toSorted(byArea).map((face) => {
      return { ...face, ...(face.spoof && { isSpoof: thresholds.countsAsSpoof(face.spoof) }) };
    });
    return {
      image: analysis.image,
      faces,
      found: analysis.found,
      landmarks,
      ...(attributes.includes('spoof') && { spoofThreshold: thresholds.spoof }),
    };
  };
}
