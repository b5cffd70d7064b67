import type { Parameter } from '@wajah/contract';
import type { Engine, Face } from '@wajah/engine';
import type { Material, Species } from './species.ts';

/** Renderings of a step that an attacker tries before it sends the last one. */
const ROUNDS = 4;
/** Least angle that the attacker is content with: the service asks for 12°, and measures differently from frame to frame. */
const CONTENT = 14;

/**
 * Renders the frames of a session, one for each step. As an attacker may, it asks `detect-faces` what the service sees,
 * and turns the head further, closes the eyes further or opens the mouth further until the step is seen.
 */
export async function attackFrames(
  engine: Pick<Engine, 'analyze'>,
  species: Species,
  material: Material,
  steps: readonly Parameter[],
  { session, attempt }: { readonly session: string; readonly attempt: number },
): Promise<Buffer[]> {
  const frames: Buffer[] = [];
  for (const [place, step] of steps.entries()) {
    let effort = 1;
    let frame = await species.draw(material, { step, place, effort, session, attempt });
    for (let round = 1; round < ROUNDS; round++) {
      const more = await missing(engine, frame, step);
      if (more === 0) break;
      effort *= more;
      frame = await species.draw(material, { step, place, effort, session, attempt });
    }
    frames.push(frame);
  }
  return frames;
}

/** 0 when the frame shows the step, else the factor by which the effort must grow. */
async function missing(engine: Pick<Engine, 'analyze'>, frame: Uint8Array, step: Parameter): Promise<number> {
  const attributes = step.startsWith('face ') ? (['pose'] as const) : (['eyes', 'mouth'] as const);
  const { faces } = await engine.analyze(frame, { attributes, maxFaces: 1, search: 'fast' });
  const [face] = faces;
  // Without a face the picture was changed too far.
  if (!face) return 0.8;
  if (step === 'face front') return isFrontal(face) ? 0 : 2;
  if (step.startsWith('face ')) {
    const angle = angleTowards(face, step);
    return angle >= CONTENT ? 0 : Math.min(1.5, (CONTENT + 3) / Math.max(4, angle));
  }
  return shows(face, step) ? 0 : 1.25;
}

/** With a margin to the 12° that the service allows. */
function isFrontal({ pose }: Face): boolean {
  return pose !== undefined && Math.max(Math.abs(pose.yaw), Math.abs(pose.pitch)) < 10.5;
}

/** Angle in the direction of a turn, degrees. */
function angleTowards({ pose }: Face, step: Parameter): number {
  if (!pose) return 0;
  if (step === 'face left') return pose.yaw;
  if (step === 'face right') return -pose.yaw;
  return step === 'face up' ? pose.pitch : -pose.pitch;
}

function shows({ eyes, mouth }: Face, step: Parameter): boolean {
  if (step === 'mouth open') return mouth?.state === 'open';
  return eyes?.left.state === 'closed' && eyes.right.state === 'closed';
}
