import { parentPort, workerData } from 'node:worker_threads';
import { hashProbesOf, samePictureQuery } from '@wajah/engine/series';
import { openFramePart } from '../../security/vaults/frame-vault.ts';
import type { StoredFramePart } from '../../store/session-store.ts';
import type { FrameCommand, FrameQuestion, FrameReply, FrameWorkerData } from './messages.ts';
import { PackedHashes } from './packed-hashes.ts';

// Holds the opened hashes of the remembered frames, and compares frames, off the event loop of the server.

const { key } = workerData as FrameWorkerData;
const hashes = new PackedHashes();

parentPort?.on('message', (command: FrameCommand) => {
  if (command.kind === 'add') add(command.frames, command.since);
  else parentPort?.postMessage(replyTo(command));
});

function add(frames: Extract<FrameCommand, { kind: 'add' }>['frames'], since: number): void {
  hashes.expire(since);
  for (const frame of frames) {
    const hash = open('hash', frame);
    if (hash) hashes.add(frame.id, frame.sentAt.getTime(), hash);
  }
}

/** A row that cannot be opened was damaged, or written under another key: it matches nothing. */
function open(part: 'hash' | 'detail', { sessionId, sealed }: StoredFramePart): Uint8Array | undefined {
  try {
    return openFramePart(key, part, sessionId, sealed);
  } catch {
    return undefined;
  }
}

function replyTo(command: FrameQuestion & { readonly job: number }): FrameReply {
  try {
    return { job: command.job, answer: answerTo(command) };
  } catch (error) {
    return { job: command.job, error: String(error) };
  }
}

function answerTo(question: FrameQuestion): number[][] | boolean {
  if (question.kind === 'same') {
    const query = samePictureQuery(question.image);
    return question.details.some((part) => {
      const detail = open('detail', part);
      return detail !== undefined && query.isSamePicture(detail);
    });
  }
  const probes = question.images.flatMap(hashProbesOf);
  const found = hashes.search(probes, question.range, question.most);
  return question.images.map((_, i) => {
    const both = [...found[2 * i]!, ...found[2 * i + 1]!].sort((a, b) => a.distance - b.distance);
    return [...new Set(both.map(({ id }) => id))].slice(0, question.most);
  });
}
