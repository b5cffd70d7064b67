import type { PadSignal } from './signal.ts';
import { colour } from './signals/colour.ts';
import { light } from './signals/light.ts';
import { faceFeatures } from './signals/look.ts';
import { minifasnet } from './signals/minifasnet.ts';
import { moire } from './signals/moire.ts';
import { scene } from './signals/scene.ts';
import { spectrum } from './signals/spectrum.ts';
import { texture } from './signals/texture.ts';

/** Every cue there is. Training measures all of them; `cuesInUse` are those whose answers count. */
export const PAD_SIGNALS: readonly PadSignal[] = [
  light,
  texture,
  colour,
  spectrum,
  moire,
  faceFeatures,
  scene,
  minifasnet,
];
