import type { detectable } from '@wajah/contract';
import type { Analysis, Attribute, Face } from '@wajah/engine';
import type { ServiceDependencies } from '../dependencies.ts';
import { createThresholds } from '../recognition/thresholds.ts';
import type { Caller } from '../services.ts';
import { mainFace } from './main-face.ts';
import { createPictures, imageField } from './pictures.ts';

/** What may be asked about each face of a picture. */
export type Detectable = (typeof detectable)[number];

export interface Detection {
  readonly image: Analysis['image'];
  /** The largest first. */
  readonly faces: readonly DetectedFace[];
  /** Faces in the picture, also those beyond the limit. */
  readonly found: number;
  /** Spoof score at or above which a face counts as a spoof; there when that was asked for. */
  readonly spoofThreshold?: number;
}

export interface DetectedFace extends Face {
  /** Whether the spoof score is at or above the server's threshold; there with `spoof`. */
  readonly isSpoof?: boolean;
}

/** Looks at a picture without a gallery. */
export interface DetectionService {
  /** @throws Refusal of the picture, `faceNotDetected` */
  detect(
    caller: Caller,
    input: {
      image: string;
      attributes: readonly Detectable[];
      mesh: boolean;
      /** Look for small faces, too. */
      thorough: boolean;
      maxFaces: number;
    },
  ): Promise<Detection>;
}

export function createDetectionService({
  engine,
  events,
  config,
}: Pick<ServiceDependencies, 'engine' | 'events' | 'config'>): DetectionService {
  const pictures = createPictures(engine, config.limits);
  const thresholds = createThresholds(engine, config.thresholds);
  return {
    async detect(caller, { image, attributes, mesh, thorough, maxFaces }) {
      const bytes = pictures.decode(imageField, image);
      const want: Attribute[] = mesh ? [...attributes, 'mesh'] : [...attributes];
      const request = { attributes: want, maxFaces, search: thorough ? 'thorough' : 'fast' } as const;
      const analysis = await pictures.analyze(imageField, bytes, request, caller.signal);
      mainFace(analysis, imageField.name);
      events.facesDetected(caller, { found: analysis.found });
      const faces = analysis.faces
        .toSorted((a, b) => area(b) - area(a))
        .map((face) => ({ ...face, ...(face.spoof && { isSpoof: face.spoof.score >= thresholds.spoof }) }));
      const spoofThreshold = attributes.includes('spoof') ? { spoofThreshold: thresholds.spoof } : {};
      return { image: analysis.image, faces, found: analysis.found, ...spoofThreshold };
    },
  };
}

function area({ box }: Face): number {
  return box.width * box.height;
}
