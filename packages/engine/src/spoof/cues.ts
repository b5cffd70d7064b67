import type { Cue } from './cue.ts';
import { colour } from './cue-colour.ts';
import { context } from './cue-context.ts';
import { grain } from './cue-grain.ts';
import { light } from './cue-light.ts';
import { look } from './cue-look.ts';
import { nets } from './cue-nets.ts';
import { spectrum } from './cue-spectrum.ts';
import { texture } from './cue-texture.ts';

/** Every cue there is. Training measures all of them; `cuesInUse` are those whose answers count. */
export const SPOOF_CUES: readonly Cue[] = [light, grain, texture, colour, spectrum, context, look, nets];
