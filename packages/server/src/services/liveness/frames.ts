import { createHash } from 'node:crypto';
import { maxFrames, type RequestOf } from '@wajah/contract';
import type { Attribute } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import type { LivenessSessionRecord } from '../../store/ports/sessions.ts';
import type { Caller } from '../caller.ts';
import { pictureError } from '../faces/pictures.ts';
import type { PictureField } from '../faces/ports.ts';
import { requiredState } from './challenge.ts';
import type { AnalyzedFrame, LivenessContext } from './context.ts';

type SubmittedFrame = RequestOf<'submitLivenessSession'>['frames'][number];

/**
 * What every frame is analysed for: whether it shows its step and can be judged, whether all show one person, for which
 * templates of one crop suffice, and whether it was used before. On `dev`, the least similarity of 112 genuine pairs of one
 * sitting is 0.953 with these templates and 0.959 with whole ones; of all pairs of people, 0.0906 and 0.0963 % reach the
 * threshold of verification.
 */
const ofAll = [
  ...(['pose', 'mouth', 'mask', 'quality', 'quickEmbedding'] as const),
  ...(['shape', 'settledShape', 'spoof', 'skin'] as const),
] as const satisfies readonly Attribute[];
/** Irises and meshes are compared between the frames of turns of the head alone. */
const ofAngles = ['eyes', 'gaze', 'mesh'] as const satisfies readonly Attribute[];
/** One of them represents the session. */
const ofFrontal = ['embedding', 'unclear'] as const satisfies readonly Attribute[];

/**
 * What the frame of a step is analysed for. Only what faces the camera may have the template that represents the session.
 * @param step undefined: not known yet, as the frame is sent early by a program that does not name it
 */
function attributesFor(step: SubmittedFrame['step'] | undefined): readonly Attribute[] {
  if (step === undefined) return [...ofAll, ...ofAngles, ...ofFrontal];
  const { angle, eyes } = requiredState(step);
  const states = angle ? ofAngles : eyes ? (['eyes'] as const) : [];
  const facesCamera = angle === undefined || angle === 'face front';
  return [...ofAll, ...states, ...(facesCamera ? ofFrontal : [])];
}

/**
 * Analyses one frame.
 * @returns the face, or why there is none: a refused frame fails alone
 * @throws Refusal `busy`, the reason of a disconnected caller
 */
async function analyzeFrame(
  context: LivenessContext,
  caller: Caller,
  field: PictureField,
  bytes: Uint8Array,
  attributes: readonly Attribute[],
): Promise<AnalyzedFrame['result']> {
  try {
    const { face, analysis } = await context.analyze(caller, { field, bytes }, attributes);
    return { face, found: analysis.found };
  } catch (error) {
    return { error: pictureError(error) };
  }
}

/**
 * Analyses each frame once, for what its step needs; those that were sent early are analysed already.
 * @param inOrder whether the frames follow the steps: of others only the faces are counted
 * @param early finds by their digest frames that were analysed before, for all that is needed
 */
export function analyzeFrames(
  context: LivenessContext,
  caller: Caller,
  frames: readonly SubmittedFrame[],
  {
    inOrder,
    early,
  }: {
    readonly inOrder: boolean;
    readonly early: (
      digest: string,
      needed: readonly Attribute[],
    ) => Promise<AnalyzedFrame['result']> | undefined;
  },
): Promise<AnalyzedFrame[]> {
  return context.pictures.map(frames, async ({ image, digest, step }, index) => {
    const name = `frames[${index}]`;
    const needed = inOrder ? attributesFor(step) : [];
    const held = image === undefined && digest !== undefined ? early(digest, needed) : undefined;
    if (held) return { name, digest: Buffer.from(digest!, 'hex'), result: await held };
    const field = fieldOf(name);
    try {
      const bytes = context.pictures.decode(field, image ?? '');
      const hash = createHash('sha256').update(bytes).digest();
      const analyzed = early(hash.toString('hex'), needed);
      const result = await (analyzed ?? analyzeFrame(context, caller, field, bytes, needed));
      return { name, digest: hash, result };
    } catch (error) {
      return { name, digest: Buffer.alloc(0), result: { error: pictureError(error) } };
    }
  });
}

function fieldOf(name: string): PictureField {
  return { kind: 'image', name: `${name}.image` };
}

/** Frames of all tries that are held at most; those of the oldest are dropped first. */
const MOST_FRAMES = 256;

/** A session since it began: the next try of its link begins at another time. */
export type Try = Pick<LivenessSessionRecord, 'id' | 'createdAt' | 'expiresAt'>;

export const keyOf = ({ id, createdAt }: Try) => `${id} ${createdAt.getTime()}`;

/** The analysis of a frame before its submission. */
interface EarlyFrame {
  readonly attributes: readonly Attribute[];
  readonly result: Promise<AnalyzedFrame['result']>;
}

/**
 * Analyses of frames that arrived before their submission, by try and digest. They are held in the memory of this
 * server only: a submission that finds them missing, after a restart or at another server, needs the pictures.
 */
export function createEarlyFrames() {
  /** In the order of their first frame. */
  const tries = new Map<string, Map<string, EarlyFrame>>();
  let held = 0;
  const drop = (key: string) => {
    held -= tries.get(key)?.size ?? 0;
    tries.delete(key);
  };
  return {
    /** Number of frames of a try. */
    count: (one: Try) => tries.get(keyOf(one))?.size ?? 0,

    /** @param needed attributes; a frame that was analysed for less, as for another step, is not found */
    find(one: Try, digest: string, needed: readonly Attribute[]) {
      const frame = tries.get(keyOf(one))?.get(digest);
      return frame && needed.every((name) => frame.attributes.includes(name)) ? frame.result : undefined;
    },

    /** Holds an analysis in place of an earlier one, until it fails, its try expires or is dropped. */
    hold(one: Try, digest: string, frame: EarlyFrame): void {
      const key = keyOf(one);
      const known = tries.get(key);
      const frames = known ?? new Map<string, EarlyFrame>();
      if (!known) setTimeout(drop, one.expiresAt.getTime() - Date.now(), key).unref();
      if (!frames.has(digest)) held += 1;
      tries.set(key, frames.set(digest, frame));
      frame.result.catch(() => {
        if (tries.get(key) === frames && frames.get(digest) === frame && frames.delete(digest)) held -= 1;
      });
      for (const oldest of tries.keys()) {
        if (held <= MOST_FRAMES || oldest === key) break;
        drop(oldest);
      }
    },

    drop: (one: Try) => drop(keyOf(one)),
  };
}

export type EarlyFrames = ReturnType<typeof createEarlyFrames>;

/**
 * Analyses a frame before its submission, and holds the result.
 * @param step for which it will be submitted, if it is known: submitted for another one that needs more, it counts as not held
 * @returns SHA-256 of the picture, hexadecimal
 * @throws Refusal `malformed` | `busy`, of the picture's encoding
 */
export async function analyzeEarly(
  context: LivenessContext,
  caller: Caller,
  early: EarlyFrames,
  session: Try,
  { image, step }: Pick<RequestOf<'sendLivenessFrame'>, 'image' | 'step'>,
): Promise<string> {
  const field = { kind: 'image', name: 'image' } as const;
  const bytes = context.pictures.decode(field, image);
  const digest = createHash('sha256').update(bytes).digest('hex');
  const needed = attributesFor(step);
  if (!early.find(session, digest, needed)) {
    const isHeld = early.find(session, digest, []) !== undefined;
    if (!isHeld && early.count(session) >= maxFrames) {
      throw new Refusal('tooManyFrames', { most: maxFrames });
    }
    // Sent for another step before: for everything now, so that no picture is analysed a third time.
    const attributes = isHeld ? attributesFor(undefined) : needed;
    const result = analyzeFrame(context, caller, field, bytes, attributes);
    early.hold(session, digest, { attributes, result });
  }
  await early.find(session, digest, needed);
  return digest;
}

/** @throws Refusal `malformed` when a frame has only a digest, and no analysis for its step is held */
export function requireEarly(
  early: EarlyFrames,
  session: Try,
  { frames }: RequestOf<'submitLivenessSession'>,
): void {
  for (const [index, { image, digest, step }] of frames.entries()) {
    if (image !== undefined || digest === undefined) continue;
    const held = early.find(session, digest, attributesFor(step));
    if (held === undefined) throw new Refusal('frameNotHeld', { index });
  }
}
