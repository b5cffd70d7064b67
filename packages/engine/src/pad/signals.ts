import type { PadSignal } from './signal.ts';
import { colour } from './signals/colour.ts';
import { compression } from './signals/compression.ts';
import { context } from './signals/context.ts';
import { frame } from './signals/frame.ts';
import { grain } from './signals/grain.ts';
import { highlights } from './signals/highlights.ts';
import { light } from './signals/light.ts';
import { look } from './signals/look.ts';
import { nets } from './signals/minifasnet.ts';
import { moire } from './signals/moire.ts';
import { scene } from './signals/scene.ts';
import { shading } from './signals/shading.ts';
import { spectrum } from './signals/spectrum.ts';
import { texture } from './signals/texture.ts';

/** Every cue there is. Training measures all of them; `cuesInUse` are those whose answers count. */
export const PAD_SIGNALS: readonly PadSignal[] = [
  light,
  grain,
  texture,
  colour,
  spectrum,
  moire,
  highlights,
  compression,
  shading,
  context,
  frame,
  look,
  scene,
  nets,
];
