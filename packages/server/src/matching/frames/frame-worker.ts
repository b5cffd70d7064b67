import { parentPort, workerData } from 'node:worker_threads';
import type { PerceptualHash } from '@wajah/engine';
import { type FrameTrace, frameDetailOf, sameFrameQuery } from '@wajah/engine/series';
import { minuteMs } from '../../lib/time.ts';
import { openFrameReader } from '../../store/readers.ts';
import type { FrameAnswer, FrameCommand, FrameQuestion, FrameReply, FrameWorkerData } from './frame-index.ts';
import { RememberedFrames } from './remembered-frames.ts';

// Reads, opens, searches and compares frames, off the event loop of the server.

type Reader = Awaited<ReturnType<typeof openFrameReader>>;

/** Interval at which frames that were erased leave the memory. */
const refreshMs = minuteMs;

const { options, keys, hours } = workerData as FrameWorkerData;
let opened: Promise<{ reader: Reader; frames: RememberedFrames }> | undefined;
let timer: NodeJS.Timeout | undefined;

parentPort?.on('message', (command: FrameCommand) => {
  if ('close' in command) void close();
  else
    void replyTo(command.question).then((reply) => parentPort?.postMessage({ job: command.job, ...reply }));
});

async function replyTo(question: FrameQuestion): Promise<Omit<FrameReply, 'job'>> {
  try {
    return { answer: await answerTo(question) };
  } catch (error) {
    const { name, message } = error as Error;
    return { error: message, unavailable: name === 'StoreUnavailable' };
  }
}

async function answerTo(question: FrameQuestion): Promise<FrameAnswer> {
  if (question.kind === 'compare') return compareFrames(question.frames, question.pairs);
  const { frames } = await open();
  if (question.kind === 'refresh') return frames.refresh();
  return frames.findUsed(question.frames, question.before);
}

function open() {
  opened ??= openFrameReader(options).then(
    (reader) => {
      const frames = new RememberedFrames(reader, keys, hours);
      timer = setInterval(() => void frames.refresh().catch(() => undefined), refreshMs);
      return { reader, frames };
    },
    (error: unknown) => {
      opened = undefined;
      throw error;
    },
  );
  return opened;
}

async function close(): Promise<void> {
  clearInterval(timer);
  await opened?.then(({ reader }) => reader.close()).catch(() => null);
  parentPort?.close();
}

interface ComparableFrame {
  readonly trace: () => FrameTrace;
  readonly isSame: (other: FrameTrace) => boolean;
}

/** As `FrameIndex.findSame`. */
function compareFrames(
  frames: readonly PerceptualHash[],
  pairs: readonly (readonly [number, number])[],
): boolean[] {
  const comparable = frames.map(comparableOf);
  // A comparison allows for cropping of its own frame only, so both directions are tried.
  return pairs.map(([i, j]) => {
    const [a, b] = [comparable[i]!, comparable[j]!];
    return a.isSame(b.trace()) || b.isSame(a.trace());
  });
}

/** Computes what it needs at the first comparison. */
function comparableOf({ bits, image }: PerceptualHash): ComparableFrame {
  let detail: Uint8Array | undefined;
  return {
    trace: () => {
      detail ??= frameDetailOf(image);
      return { bits, detail };
    },
    isSame: sameFrameQuery(image),
  };
}
