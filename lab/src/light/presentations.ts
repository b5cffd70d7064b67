import type { Random } from '../recapture/random.ts';
import { type Grid, gridAt, mapGrid } from './grid.ts';
import type { Scene } from './scene.ts';

/** Who or what is before the camera while the screen shows its lights. */
export const PRESENTATIONS = [
  'person',
  'recording',
  'wrong sequence',
  'tinted by a program',
  'print',
  'cut-out print',
  'bent print',
  'pane of glass',
] as const;
export type Presentation = (typeof PRESENTATIONS)[number];

/** Where the screen is, in half widths of a face (7 cm). */
export interface Screen {
  readonly distance: number;
  /** Below the camera, and aside. */
  readonly down: number;
  readonly aside: number;
  readonly wide: number;
  readonly high: number;
}

/** A phone held at 25 to 50 cm, or the screen of a laptop at 45 to 70 cm. */
export function drawScreen(random: Random): Screen {
  if (random.chance(0.7)) {
    return {
      distance: random.between(3.6, 7.1),
      down: 1.1,
      aside: random.between(-0.2, 0.2),
      wide: 1,
      high: 2.1,
    };
  }
  return { distance: random.between(6.4, 10), down: 1.8, aside: 0, wide: 4.3, high: 2.7 };
}

/** Light of the screen on each sample, mean 1 over the face. @param flat places and normals are those of a plane */
export function screenLight(scene: Scene, screen: Screen, surface: 'head' | 'plane' | 'cylinder'): Grid {
  const { places, normals, isFace } = scene.geometry;
  const grid = mapGrid(scene.ambient, (_, i) => {
    const [x, y, z] = places[i]!;
    if (surface === 'plane') return lightAt([x, y, 0], [0, 0, -1], screen);
    if (surface === 'cylinder') {
      const angle = Math.max(-1.4, Math.min(1.4, x / RADIUS));
      return lightAt(
        [RADIUS * Math.sin(angle), y, RADIUS * (1 - Math.cos(angle))],
        [Math.sin(angle), 0, -Math.cos(angle)],
        screen,
      );
    }
    return lightAt([x, y, z], normals[i] ?? [0, 0, -1], screen);
  });
  let [sum, count] = [0, 0];
  for (let i = 0; i < isFace.length; i++) {
    if (!isFace[i]) continue;
    sum += grid.values[i]!;
    count++;
  }
  return mapGrid(grid, (value) => (value * count) / sum);
}

/** Radius of a bent print: 11 cm. */
const RADIUS = 1.6;

/** Mean over samples of the screen: cosines at the skin and at the screen over the squared distance. */
function lightAt(place: readonly number[], normal: readonly number[], screen: Screen): number {
  let sum = 0;
  for (const u of [-0.33, 0, 0.33]) {
    for (const v of [-0.33, 0, 0.33]) {
      const lx = screen.aside + u * screen.wide - place[0]!;
      const ly = screen.down + v * screen.high - place[1]!;
      const lz = -screen.distance - place[2]!;
      const away = Math.hypot(lx, ly, lz);
      const cosine = normal[0]! * lx + normal[1]! * ly + normal[2]! * lz;
      sum += (Math.max(0, cosine) * -lz) / away ** 4;
    }
  }
  return sum;
}

/** How a presentation answers. */
export interface Answer {
  /** Light that is reflected as the ambient light is, over the mean ambient light. */
  readonly diffuse: Grid | undefined;
  /** Light that is mirrored whatever the colour of the place, over the mean light of the face. */
  readonly mirrored: Grid | undefined;
}

/** @returns undefined where nothing answers */
export function answerOf(
  presentation: Presentation,
  scene: Scene,
  screen: Screen,
  gloss: number,
): Answer | undefined {
  const reflectance = (grid: Grid) => mapGrid(grid, (value, i) => value / scene.ambient.values[i]!);
  const none = mapGrid(scene.ambient, () => 1);
  switch (presentation) {
    case 'recording':
      return undefined;
    case 'person':
    case 'wrong sequence': {
      const light = screenLight(scene, screen, 'head');
      const { normals } = scene.geometry;
      const shine = mapGrid(light, (value, i) => gloss * value * Math.max(0, -(normals[i]?.[2] ?? 0)) ** 16);
      return { diffuse: reflectance(light), mirrored: shine };
    }
    case 'tinted by a program':
      return { diffuse: none, mirrored: undefined };
    case 'print':
      return { diffuse: screenLight(scene, screen, 'plane'), mirrored: undefined };
    case 'bent print':
      return { diffuse: screenLight(scene, screen, 'cylinder'), mirrored: undefined };
    case 'cut-out print': {
      const { isFace } = scene.geometry;
      const plane = screenLight(scene, screen, 'plane');
      const head = screenLight(scene, screen, 'head');
      return {
        diffuse: mapGrid(plane, (value, i) => (isFace[i] ? value : head.values[i]!)),
        mirrored: undefined,
      };
    }
    case 'pane of glass':
      return { diffuse: undefined, mirrored: screenLight(scene, screen, 'plane') };
  }
}

/** Adds the light of a colour to a scene. @param strength of the white screen over the ambient light, mean over the face */
export function lit(scene: Scene, answer: Answer | undefined, colour: readonly number[], strength: number) {
  const { width, height, light, faceLight } = scene;
  return light.map((plane, channel) => {
    const power = strength * colour[channel]!;
    if (!answer || power === 0) return plane.slice();
    const { diffuse, mirrored } = answer;
    const out = new Float32Array(plane.length);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const at = y * width + x;
        const scattered = diffuse ? plane[at]! * gridAt(diffuse, x, y) : 0;
        const shine = mirrored ? faceLight[channel]! * gridAt(mirrored, x, y) : 0;
        out[at] = plane[at]! + power * (scattered + shine);
      }
    }
    return out;
  });
}
