import type { Parameter } from '@wajah/contract';
import type { Canvas } from '../recapture/canvas.ts';
import { seeded } from '../recapture/random.ts';
import { CLEAN, type Look, photographed } from './camera.ts';
import type { LidMethod } from './expression.ts';
import { fullScreen, heldPrint, refilmed } from './medium.ts';
import { animated, expressed, turnOf } from './posed.ts';
import { type Relief, reliefOf } from './relief.ts';
import type { Still } from './still.ts';

/** The public pictures that an attacker has. */
export interface Material {
  readonly still: Still;
  /** Of another person. */
  readonly other: Still;
  /** Further pictures of the person, taken at other times; often none. */
  readonly more: readonly Still[];
}

/** A frame that an attacker renders for a step. */
export interface FrameRequest {
  readonly step: Parameter;
  /** Index of the step in the challenge. */
  readonly place: number;
  /** How far the still is turned or its expression changed, 1 to begin with. */
  readonly effort: number;
  /** Seed of the session: lights, screens and papers stay the same in it. */
  readonly session: string;
  /** 0, 1, 2, …: how often the attacker was refused before. */
  readonly attempt: number;
}

/** An attack species (ISO/IEC 30107-3): attacks made in one way. */
export interface Species {
  readonly name: string;
  /** Whether it is a still that a program animates, which the goals of liveness name by themselves. */
  readonly animated: boolean;
  /** Whether the attacker needs several pictures of the person. */
  readonly several?: boolean;
  /** A JPEG; the same request gives the same bytes. */
  draw(material: Material, request: FrameRequest): Promise<Buffer>;
}

const reliefs = new WeakMap<Still, Relief>();

function reliefFor(still: Still): Relief {
  const relief = reliefs.get(still) ?? reliefOf(still);
  reliefs.set(still, relief);
  return relief;
}

/** How a still is animated. */
interface Way {
  readonly lids?: LidMethod;
  /** Whether the irises move as the head turns. */
  readonly looking?: boolean;
  /** Shows the frame to the camera on a medium. */
  readonly shown?: (frame: Canvas, still: Still, session: string) => Canvas;
}

/** Frames of an animated still. @param look of the camera */
function animation(
  name: string,
  look: (request: FrameRequest) => Look,
  { lids = 'morphed', looking, shown }: Way = {},
): Species {
  return {
    name,
    animated: true,
    draw({ still }, request) {
      const random = randomOf(request);
      const relief = reliefFor(still);
      const frame = animated(still, relief, { ...request, lids, ...(looking && { looking }) }, random);
      const seen = shown ? shown(frame, still, request.session) : frame;
      return photographed(seen, look(request), random, shown ? undefined : relief);
    },
  };
}

/** Different for each frame. */
function randomOf({ session, step, place, attempt, effort }: FrameRequest) {
  return seeded(`${session} ${place} ${step} ${attempt} ${effort.toFixed(3)}`);
}

function faceBoxOf({ mesh }: Still) {
  const xs = mesh.filter((_, i) => i % 3 === 0);
  const ys = mesh.filter((_, i) => i % 3 === 1);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

const stronger = (attempt: number) => 1 + 0.25 * attempt;

/** Another light, another shadow and other pores in each frame. */
const relit = ({ attempt }: FrameRequest): Look => ({
  ...CLEAN,
  noise: 2,
  blur: 0.5,
  light: 0.1,
  relit: 0.45 * stronger(attempt),
  shadow: 0.25,
  pores: 6 * stronger(attempt),
});

/** One lamp that stays where it is while the head turns, as in a room. */
function underLamp(request: FrameRequest): Look {
  const random = seeded(`lamp ${request.session}`);
  const { yaw, pitch } = turnOf(request);
  const radians = Math.PI / 180;
  const lamp = [
    random.between(-0.7, 0.7) - Math.sin(yaw * radians),
    random.between(-0.7, 0.2) + Math.sin(pitch * radians),
  ] as const;
  return { ...CLEAN, noise: 2, light: 0.03, relit: 0.7 * stronger(request.attempt), lamp };
}

/** A print before the camera, held for each step as its direction asks. @param curl degrees */
function print(name: string, turn: number, curl: number): Species {
  return {
    name,
    animated: false,
    draw({ still }, request) {
      const random = randomOf(request);
      const canvas = expressed(still, request.step, request.effort, 'painted');
      const sign = request.step === 'face right' || request.step === 'face down' ? -1 : 1;
      const tilted = request.step.startsWith('face ') && request.step !== 'face front';
      const angle = tilted ? sign * Math.min(58, turn * request.effort) : 0;
      const sideways = request.step === 'face left' || request.step === 'face right';
      const jitter = () => random.between(-3, 3);
      const held = {
        yaw: (sideways ? angle : 0) + jitter(),
        pitch: (sideways ? 0 : angle) + jitter(),
        curl: curl === 0 ? 0 : curl + jitter(),
      };
      return photographed(heldPrint(canvas, held, request.session), CLEAN, random);
    },
  };
}

/** The species that need stills alone. */
export const STILL_SPECIES: readonly Species[] = [
  {
    name: 'photo',
    animated: false,
    draw: ({ still }, request) =>
      photographed(still.canvas, { ...CLEAN, noise: 3, light: 0.1 }, randomOf(request)),
  },
  {
    name: 'photo with painted lids and mouth',
    animated: false,
    draw: ({ still }, request) =>
      photographed(
        expressed(still, request.step, request.effort, 'painted'),
        { ...CLEAN, noise: 3, light: 0.1 },
        randomOf(request),
      ),
  },
  print('print tilted', 40, 0),
  print('print curled', 35, 35),
  animation('animated still', () => CLEAN),
  animation('animated still with painted lids', () => ({ ...CLEAN, light: 0.1 }), { lids: 'painted' }),
  animation('animated still with noise and blur', ({ attempt }) => ({
    ...CLEAN,
    noise: 8 * stronger(attempt),
    blur: 1.4 * stronger(attempt),
    light: 0.2,
  })),
  animation('animated still blurred', ({ attempt }) => ({
    ...CLEAN,
    noise: 2,
    blur: 1.6 * stronger(attempt),
    light: 0.1,
  })),
  animation('animated still relit', relit),
  animation('animated still relit, with moving eyes', relit, { looking: true }),
  animation('animated still under a lamp', underLamp),
  animation('animated still under a lamp, with moving eyes', underLamp, { looking: true }),
  animation('animated still compressed', ({ attempt }) => ({
    ...CLEAN,
    noise: 2,
    light: 0.1,
    quality: Math.round(40 / stronger(attempt)),
  })),
  animation('animated still on a full screen', () => CLEAN, {
    shown: (frame, _, session) => fullScreen(frame, session),
  }),
  animation('animated still on a phone', () => CLEAN, {
    shown: (frame, still, session) => refilmed(frame, faceBoxOf(still), session),
  }),
  {
    name: 'animated stills from several pictures',
    animated: true,
    several: true,
    draw({ still, more }, request) {
      const random = randomOf(request);
      const pictures = [still, ...more];
      const shown = pictures[request.place % pictures.length]!;
      const frame = animated(shown, reliefFor(shown), { ...request, lids: 'morphed' }, random);
      return photographed(frame, { ...CLEAN, noise: 2, light: 0.05 }, random);
    },
  },
  {
    name: 'two people animated',
    animated: false,
    draw({ still, other }, request) {
      const random = randomOf(request);
      // Every other step is performed by the accomplice.
      const shown = request.place % 2 === 1 ? other : still;
      const relief = reliefFor(shown);
      const frame = animated(shown, relief, { ...request, lids: 'morphed' }, random);
      return photographed(frame, { ...CLEAN, light: 0.1, noise: 3 }, random);
    },
  },
];
