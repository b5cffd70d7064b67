import { parentPort, workerData } from 'node:worker_threads';
import { minuteMs } from '../../lib/time.ts';
import { openFrameReader } from '../../store/readers.ts';
import { compareFrames } from './compare-frames.ts';
import type { FrameAnswer, FrameCommand, FrameQuestion, FrameReply, FrameWorkerData } from './messages.ts';
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
