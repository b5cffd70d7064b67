import { createHash } from 'node:crypto';
import { maxFrames, type Picture, type SubmitSessionRequest } from '@wajah/contract';
import { type Attribute, captureFaults } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import type { LivenessSessionRecord } from '../../store/session-store.ts';
import type { Caller } from '../caller.ts';
import type { PictureField } from '../faces/pictures.ts';
import { requiredState } from './challenge.ts';
import { type AnalyzedFrame, type LivenessContext, pictureError } from './context.ts';
import { mostFrontal } from './series.ts';

type SubmittedFrame = SubmitSessionRequest['frames'][number];

/**
 * What every frame is analysed for: whether it shows its step, and whether all show one person, for which templates of
 * one crop suffice. On `dev`, the least similarity of 112 genuine pairs of one sitting is 0.953 with them and 0.959 with
 * whole ones; of all pairs of people, 0.0906 and 0.0963 % reach the threshold of verification.
 */
const ofAll = [
  ...(['pose', 'mouth', 'mask', 'quality'] as const),
  ...(['quickEmbedding', 'shape'] as const),
] as const satisfies readonly Attribute[];
/** What only a frame that represents a step is analysed for: more than half of the work. */
const ofRepresentatives = [
  ...(['spoof', 'skin', 'eyes', 'gaze'] as const),
  ...(['mesh', 'settledShape'] as const),
] as const satisfies readonly Attribute[];

/** What a frame is analysed for whose step is not known yet, as its picture is not held. */
const ofAnyStep = [...ofRepresentatives, 'embedding'] as const satisfies readonly Attribute[];

/** What the frame of a step that requires eyes or mouth is analysed for besides. */
const ofExpressions = ['spoof', 'skin', 'settledShape'] as const satisfies readonly Attribute[];

/** Irises and meshes are compared between the frames of turns of the head alone. */
function detailsOf(step: SubmittedFrame['step']): readonly Attribute[] {
  const { angle, eyes } = requiredState(step);
  return angle ? ofRepresentatives : [...ofExpressions, ...(eyes ? (['eyes'] as const) : [])];
}

/** Whether the frame of a step may be the most frontal one, whose template represents the session. */
function mayBeReference(step: SubmittedFrame['step']): boolean {
  const { angle = 'face front' } = requiredState(step);
  return angle === 'face front';
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
  further: readonly Attribute[],
): Promise<AnalyzedFrame['result']> {
  try {
    const attributes = [...ofAll, ...further, 'place'] as const;
    const { face, analysis } = await context.analyze(caller, { field, bytes }, attributes);
    return { face, found: analysis.found, faults: captureFaults(face).length };
  } catch (error) {
    return { error: pictureError(error) };
  }
}

/**
 * Analyses the frames as far as a step chooses among them, and the only frame of a step with its details. Those that were
 * analysed before are complete.
 * @param places for each frame the index of its step; undefined: no step is judged
 * @param early finds frames that were analysed before by their digest
 */
export function analyzeFrames(
  context: LivenessContext,
  caller: Caller,
  frames: readonly SubmittedFrame[],
  {
    places,
    early,
  }: {
    readonly places: readonly number[] | undefined;
    readonly early: (digest: string) => Promise<AnalyzedFrame['result']> | undefined;
  },
): Promise<AnalyzedFrame[]> {
  return context.mapPictures(frames, async ({ image, digest, step }, index) => {
    const name = `frames[${index}]`;
    const known = image === undefined && digest !== undefined ? early(digest) : undefined;
    if (known) return { name, digest: Buffer.from(digest!, 'hex'), result: await known };
    const field = fieldOf(name);
    const alone = places?.filter((place) => place === places[index]).length === 1;
    const details = [...detailsOf(step), ...(mayBeReference(step) ? (['embedding'] as const) : [])];
    const further = alone ? details : requiredState(step).eyes ? (['eyes'] as const) : [];
    try {
      const bytes = context.pictures.decode(field, image ?? '');
      const hash = createHash('sha256').update(bytes).digest();
      const result = await (early(hash.toString('hex')) ??
        analyzeFrame(context, caller, field, bytes, further));
      return { name, digest: hash, result };
    } catch (error) {
      return { name, digest: Buffer.alloc(0), result: { error: pictureError(error) } };
    }
  });
}

/**
 * Analyses the representatives of the steps for what is missing: their details, and the template of the most frontal one.
 * What they were chosen by stays as it is.
 * @param representatives indices of frames
 * @throws Refusal of a picture that was accepted before: the session is not judged
 */
export async function completeFrames(
  context: LivenessContext,
  caller: Caller,
  submitted: readonly SubmittedFrame[],
  frames: readonly AnalyzedFrame[],
  representatives: readonly number[],
): Promise<AnalyzedFrame[]> {
  const complete = new Map<number, AnalyzedFrame>();
  const judged = representatives.flatMap((index) => {
    const { name, result } = frames[index]!;
    return 'face' in result ? { index, name, result } : [];
  });
  const reference = mostFrontal(judged, ({ result }) => result.face);
  await context.mapPictures(judged, async (one) => {
    const { index, name, result } = one;
    const { image = '', step } = submitted[index]!;
    const missing = [
      ...(result.face.spoof ? [] : detailsOf(step)),
      ...(one === reference && !result.face.embedding ? (['embedding'] as const) : []),
    ];
    if (missing.length === 0) return;
    const field = fieldOf(name);
    const picture = { field, bytes: context.pictures.decode(field, image), known: result.face.place };
    const { face } = await context.analyze(caller, picture, missing);
    complete.set(index, { ...frames[index]!, result: { ...result, face: { ...face, ...result.face } } });
  });
  return frames.map((frame, index) => complete.get(index) ?? frame);
}

function fieldOf(name: string): PictureField {
  return { kind: 'image', name: `${name}.image` };
}

/** Frames of all sessions that are held at most; those of the oldest session are dropped first. */
const MOST_FRAMES = 256;

/**
 * Analyses of frames that arrived before their submission, by session and digest. They are held in the memory of this
 * server only: a submission that finds them missing, after a restart or at another server, needs the pictures.
 */
export function createEarlyFrames() {
  /** In the order of their first frame. */
  const sessions = new Map<string, Map<string, Promise<AnalyzedFrame['result']>>>();
  let held = 0;
  const drop = (sessionId: string) => {
    held -= sessions.get(sessionId)?.size ?? 0;
    sessions.delete(sessionId);
  };
  return {
    /** Number of frames of a session. */
    count: (sessionId: string) => sessions.get(sessionId)?.size ?? 0,

    find: (sessionId: string, digest: string) => sessions.get(sessionId)?.get(digest),

    /** Holds an analysis until it fails, its session expires or is dropped. */
    hold(
      session: { id: string; expiresAt: Date },
      digest: string,
      analysis: Promise<AnalyzedFrame['result']>,
    ): void {
      const { id: sessionId, expiresAt } = session;
      const known = sessions.get(sessionId);
      const frames = known ?? new Map<string, Promise<AnalyzedFrame['result']>>();
      if (frames.has(digest)) return;
      if (!known) setTimeout(drop, expiresAt.getTime() - Date.now(), sessionId).unref();
      sessions.set(sessionId, frames.set(digest, analysis));
      held += 1;
      analysis.catch(() => {
        if (sessions.get(sessionId) === frames && frames.delete(digest)) held -= 1;
      });
      for (const oldest of sessions.keys()) {
        if (held <= MOST_FRAMES || oldest === sessionId) break;
        drop(oldest);
      }
    },

    drop,
  };
}

export type EarlyFrames = ReturnType<typeof createEarlyFrames>;

/**
 * Analyses a frame before its submission, and holds the result.
 * @returns SHA-256 of the picture, hexadecimal
 * @throws Refusal `malformed` | `busy`, of the picture's encoding
 */
export async function analyzeEarly(
  context: LivenessContext,
  caller: Caller,
  early: EarlyFrames,
  session: Pick<LivenessSessionRecord, 'id' | 'expiresAt'>,
  image: Picture,
): Promise<string> {
  const field = { kind: 'image', name: 'image' } as const;
  const bytes = context.pictures.decode(field, image);
  const digest = createHash('sha256').update(bytes).digest('hex');
  if (!early.find(session.id, digest)) {
    if (early.count(session.id) >= maxFrames) {
      throw new Refusal('tooManyFrames', { most: maxFrames });
    }
    early.hold(session, digest, analyzeFrame(context, caller, field, bytes, ofAnyStep));
  }
  await early.find(session.id, digest);
  return digest;
}

/** @throws Refusal `malformed` when a frame has only a digest, and its analysis is not held */
export function requireEarly(early: EarlyFrames, { sessionId, frames }: SubmitSessionRequest): void {
  for (const [index, { image, digest }] of frames.entries()) {
    if (image !== undefined || digest === undefined) continue;
    if (early.find(sessionId, digest) === undefined) throw new Refusal('frameNotHeld', { index });
  }
}
