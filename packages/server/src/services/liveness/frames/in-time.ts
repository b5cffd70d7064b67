import { Refusal } from '../../../errors.ts';
import { FramesUnavailable } from '../../../matching/frames/frame-thread.ts';

/** @throws Refusal `busy` when frames cannot be compared now */
export async function inTime<T>(comparison: Promise<T>): Promise<T> {
  try {
    return await comparison;
  } catch (error) {
    if (!(error instanceof FramesUnavailable)) throw error;
    throw new Refusal('framesNotCompared', { reason: error.message });
  }
}
