import type { LightSequence, Pose } from '@wajah/engine';

/** Species of presentation and injection attacks (ISO/IEC 30107-3, 3.1.5) that a recorded session can be labelled with. */
export const attackSpecies = ['print', 'phone', 'monitor', 'mask', 'injection', 'other'] as const;

/** What is recorded of a judged session beside its pictures. Stored as JSON, sealed. */
export interface RecordedJudgement {
  readonly version: 1;
  /** What the spoof scores were computed with: model packs and their default threshold. */
  readonly pack: string;
  readonly steps: readonly string[];
  /** As the client named it; null: it did not. */
  readonly device: string | null;
  /** Pseudonym of the person: 16 hexadecimal digits of a keyed digest; null: unknown. */
  readonly person: string | null;
  readonly passed: boolean;
  readonly reasons: readonly string[];
  /** Mean spoof score over the frames that represent a step, 0…1; null: none has a face. */
  readonly spoofScore: number | null;
  /** Spoof threshold in force. */
  readonly spoofThreshold: number;
  /** Similarity to the user of the session; null: it names none. */
  readonly similarity: number | null;
  /** Whether the face reflected the lights; null: none were shown. */
  readonly light: 'answered' | 'not_answered' | 'cannot_tell' | null;
  readonly lights: LightSequence | null;
  readonly frames: readonly RecordedFrame[];
}

export interface RecordedFrame {
  /** Of the challenge, or `light 0`, `light 1`, … */
  readonly step: string;
  readonly capturedAt: string | null;
  /** Length of the picture; 0: it is no base64 of an allowed size. */
  readonly bytes: number;
  /** Whether it represents its step in the judgement. */
  readonly representative: boolean;
  readonly spoofScore: number | null;
  /** Shorter side of the face's box, pixels; null: no face was judged. */
  readonly faceSize: number | null;
  readonly pose: Pose | null;
  /** Why it was not judged. */
  readonly error: string | null;
}
