import type { Cue } from './cue.ts';
import { colour } from './cue-colour.ts';
import { compression } from './cue-compression.ts';
import { context } from './cue-context.ts';
import { frame } from './cue-frame.ts';
import { grain } from './cue-grain.ts';
import { highlights } from './cue-highlights.ts';
import { light } from './cue-light.ts';
import { look } from './cue-look.ts';
import { moire } from './cue-moire.ts';
import { nets } from './cue-nets.ts';
import { scene } from './cue-scene.ts';
import { shading } from './cue-shading.ts';
import { spectrum } from './cue-spectrum.ts';
import { texture } from './cue-texture.ts';

/** Every cue there is. Training measures all of them; `cuesInUse` are those whose answers count. */
export const SPOOF_CUES: readonly Cue[] = [
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
