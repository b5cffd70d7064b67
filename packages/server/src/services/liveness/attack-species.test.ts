import type { Parameter } from '@wajah/contract';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { drawnFace } from '../../../../engine/test/drawn/drawn-face.ts';
import {
  type CameraPlacement,
  faceUnit,
  flatOf,
  photograph,
} from '../../../../engine/test/drawn/drawn-head.ts';
import { changed } from '../../../../engine/test/support/changed.ts';
import { grainy, rastered, shaded } from '../../../../engine/test/support/lit-anew.ts';
import { hasPadFiles, openPadEngine } from '../../../../engine/test/support/pad-pack.ts';
import { faceIn, sharedEngine } from '../../../../engine/test/support/shared-engine.ts';
import { type Film, filmOf } from '../../../test/support/film.ts';
import { openStand } from '../../../test/support/stand.ts';
import type { Diagnostic } from './ports.ts';
import { createLivenessSessions } from './session.ts';

const steps: readonly Parameter[] = ['face front', 'face left', 'face up', 'face front'];

let clients = 0;

const engine = hasPadFiles ? await openPadEngine() : await sharedEngine();
/** In a checkout without the networks sessions pass by the other checks. */
const accept = { WAJAH_UNCLEAR_SPOOF: 'accept' };
const stand = await openStand(accept, { engine });
const [ani, budi] = [await filmOf('ani'), await filmOf('budi')];

/** What a session was refused for. @param images one for each step */
async function diagnosticsOf(images: readonly string[]): Promise<readonly Diagnostic[]> {
  const caller = stand.caller(`client-${++clients}`);
  await stand.services.clients.register(caller);
  const sessions = createLivenessSessions({ ...stand.services.parts, drawSteps: () => [...steps] });
  const { sessionId } = await sessions.open(caller, {});
  const frames = images.map((image, i) => ({ step: steps[i]!, image }));
  return (await sessions.submit(caller, { sessionId, frames })).diagnostics;
}

const base64 = (frames: readonly Buffer[]) => frames.map((frame) => frame.toString('base64'));

const filmed = async (film: Film, take = 0) => (await film.frames(steps, take)).map(({ image }) => image);

interface Species {
  /** A frame for each step, base64. */
  sent(): Promise<string[]>;
  /** Name of the reason, and what its detail says. */
  readonly findings: readonly RegExp[];
  /** Only the PAD networks find it, of which the mean decides. */
  readonly byNetworks?: true;
}

/** Attacks and what finds them. */
const species: Record<string, Species> = {
  'one photo, encoded again for each step': {
    async sent() {
      const photo = await drawnFace({ person: 'ani' });
      const ways = ['again', 'brighter', 'darker', 'smaller'] as const;
      return base64(await Promise.all(ways.map((way) => changed(photo, way))));
    },
    findings: [/^step: /, /^repeat: .*same moment/],
  },
  'a tilted print': {
    async sent() {
      const picture = await drawnFace({ person: 'ani' });
      const { mesh } = await faceIn(stand.deps.engine, picture, ['mesh']);
      const print = await flatOf(picture, faceUnit(mesh!));
      const held: CameraPlacement[] = [{}, { yaw: 45 }, { pitch: 42 }, { x: 4, y: 2, roll: 3 }];
      const frames = held.map((way) => photograph(print, { ...way, away: 5 }));
      return base64(await Promise.all(frames));
    },
    findings: [/^flat: /, /^step: /],
  },
  'a still bent in relief': {
    sent: () => filmed(ani),
    findings: [/^spoof: skin, shading and irises .*correlation 0\.9/],
  },
  'a still bent in relief, with other grain and shadows in each frame': {
    async sent() {
      const frames = (await filmed(ani)).map((frame) => Buffer.from(frame, 'base64'));
      const lit = frames.map(async (frame, i) => shaded(await grainy(frame, i + 1), i + 1));
      return base64(await Promise.all(lit));
    },
    findings: [/^spoof: the frames look taken of a picture/],
    byNetworks: true,
  },
  'a still bent in relief, overexposed where it turns': {
    async sent() {
      const overexposed = (frame: string, i: number) => {
        const bytes = Buffer.from(frame, 'base64');
        return steps[i] === 'face front' ? bytes : sharp(bytes).linear(2, 120).jpeg().toBuffer();
      };
      return base64(await Promise.all((await filmed(ani)).map(overexposed)));
    },
    findings: [/^quality: frames\[1\] cannot be judged: bright/],
  },
  'two pictures of one person, bent in relief in turn': {
    async sent() {
      const [front, left, up, last] = await filmed(ani);
      const other = await shaded(await grainy(Buffer.from(up!, 'base64'), 2), 2);
      return [front!, left!, other.toString('base64'), last!];
    },
    findings: [/^spoof: skin, shading and irises .*two frames -1[1-9]/],
  },
  'a film on a screen, with a raster, grain and moving reflections': {
    async sent() {
      const frames = (await filmed(ani)).map((frame) => Buffer.from(frame, 'base64'));
      const reflected = async (frame: Buffer, i: number) =>
        grainy(await shaded(await shaded(frame, i + 1), i + 5), i + 1);
      const shown = frames.map(async (frame, i) => rastered(await reflected(frame, i)));
      return base64(await Promise.all(shown));
    },
    findings: [/^spoof: the frames look taken of a picture/],
    byNetworks: true,
  },
  'two people': {
    async sent() {
      const [own, others] = [await filmed(ani), await filmed(budi)];
      return [own[0]!, own[1]!, others[2]!, others[3]!];
    },
    findings: [
      /^person: frames\[3\] shows a face that does not match/,
      /^person: frames\[3\] was not taken in one sitting/,
    ],
  },
};

describe('each attack species is found', () => {
  for (const [name, { sent, findings, byNetworks }] of Object.entries(species)) {
    it.skipIf(byNetworks && !hasPadFiles)(name, async () => {
      const found = (await diagnosticsOf(await sent())).map((one) => `${one.name}: ${one.detail}`);

      for (const finding of findings) expect(found).toContainEqual(expect.stringMatching(finding));
    });
  }
});
