import type { AnalyzedFrame } from './analyze-frames.ts';

type Result = AnalyzedFrame['result'];

/** Frames of all sessions that are held at most; those of the oldest session are dropped first. */
const MOST_FRAMES = 256;

/**
 * Analyses of frames that arrived before their submission, by session and digest. They are held in the memory of this
 * server only: a submission that finds them missing, after a restart or at another server, needs the pictures.
 */
export function createEarlyFrames() {
  /** In the order of their first frame. */
  const sessions = new Map<string, Map<string, Promise<Result>>>();
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
    hold(session: { id: string; expiresAt: Date }, digest: string, analysis: Promise<Result>): void {
      const { id: sessionId, expiresAt } = session;
      const known = sessions.get(sessionId);
      const frames = known ?? new Map<string, Promise<Result>>();
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
