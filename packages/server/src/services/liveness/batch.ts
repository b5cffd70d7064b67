import { createHash } from 'node:crypto';
import { statuses } from '@wajah/contract';
import type { Attribute } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import { mapBounded } from '../keyed-queue.ts';
import { describeFace, mainFace, requireSize } from '../pictures/main-face.ts';
import type { PictureField } from '../pictures/pictures.ts';
import type { EnrolledPerson } from '../recognition/enrolled-person.ts';
import type { BatchLiveness, Caller, LivenessService, Parameter } from '../services.ts';
import { type Asked, allHold, askedOf, attributesOf, findingsOf, wantedFor } from './findings.ts';
import { type Frame, reasonsAgainst, wantedForSeries } from './series.ts';
import type { LivenessTools } from './single.ts';

type Input = Parameters<LivenessService['batch']>[1];
type Item = Input['items'][number];
type Entry = BatchLiveness['results'][number];

/** One picture of a batch, looked at. */
interface Judged {
  readonly entry: Entry;
  readonly succeeded: boolean;
  /** Faces found. */
  readonly found: number;
  /** For the comparison with the other pictures; not there when the picture could not be read. */
  readonly shot?: Frame;
}

export function createBatch(tools: LivenessTools): LivenessService['batch'] {
  const { deps, personOf } = tools;
  return async (caller, { user, successThreshold, items }) => {
    const needed = neededOf(successThreshold, items.length);
    const person = await personOf(caller, user);
    const judgeItem = (item: Item, index: number) =>
      judgeAlone(tools, caller, item, index, item.faceVerification ? person : undefined);
    // As many at once as there are workers: a batch must not fill the queue before others.
    const judged = await mapBounded(items, deps.engine.load().workers, judgeItem);

    const shots = judged.flatMap(({ shot }) => shot ?? []);
    // Programs written for that service send one picture for all they ask.
    const repeatsAllowed = deps.config.compat === 'risetai';
    const reasons = reasonsAgainst(shots, deps.engine, repeatsAllowed);
    const passed = reasons.length === 0 && judged.filter(({ succeeded }) => succeeded).length >= needed;
    const verification = person !== undefined;
    const found = Math.max(...judged.map((one) => one.found));
    const facts = { passed, images: items.length, verification, found };
    deps.events.livenessJudged(caller, { way: 'batch', ...facts });
    return { liveness: passed ? 'passed' : 'failed', reasons, results: judged.map(({ entry }) => entry) };
  };
}

function neededOf(successThreshold: number | undefined, count: number): number {
  if (count < 1 || count > 8) {
    throw new Refusal('malformed', `batch: it holds ${count} items, 1 to 8 are allowed`);
  }
  const needed = successThreshold ?? count;
  if (Number.isInteger(needed) && needed >= 1 && needed <= count) return needed;
  throw new Refusal(
    'malformed',
    `success_threshold: ${needed} is not a whole number from 1 to ${count}, the size of the batch`,
  );
}

/** A picture that is refused fails alone; a busy server or a caller who went away ends the whole batch. */
async function judgeAlone(
  tools: LivenessTools,
  caller: Caller,
  item: Item,
  index: number,
  person: EnrolledPerson | undefined,
): Promise<Judged> {
  try {
    return await judgeItem(tools, caller, item, index, person);
  } catch (error) {
    if (!(error instanceof Refusal) || error.status === 'busy') throw error;
    const { status, message } = statuses[error.status];
    const entry = { match: false, error: { status, status_message: message, detail: error.detail } };
    return { entry, succeeded: false, found: 0 };
  }
}

async function judgeItem(
  { deps, pictures, measure }: LivenessTools,
  caller: Caller,
  item: Item,
  index: number,
  person: EnrolledPerson | undefined,
): Promise<Judged> {
  const field: PictureField = { kind: 'image', name: `batch[${index}].image` };
  const asked: Asked = { ...stateOf(item.parameter), spoofDetection: item.spoofDetection, person };
  const bytes = pictures.decode(field, item.image ?? '');
  const attributes: Attribute[] = [...new Set<Attribute>([...wantedFor(asked), ...wantedForSeries])];
  const request = { attributes, maxFaces: 1, search: 'fast' } as const;
  const analysis = await pictures.analyze(field, bytes, request, caller.signal);
  const face = mainFace(analysis, field.name);
  requireSize(face, describeFace(analysis, field.name), deps.config.limits.minFace);

  const findings = findingsOf(face, asked, measure);
  const match = (findings.angle ?? findings.eyes ?? findings.mouth)?.holds ?? false;
  const verified = findings.verified && { verified: findings.verified.holds };
  return {
    entry: { match, ...verified, ...attributesOf(askedOf(face, asked), findings) },
    succeeded: allHold(findings),
    found: analysis.found,
    shot: {
      name: `image${index + 1}`,
      parameter: item.parameter,
      digest: createHash('sha256').update(bytes).digest('hex'),
      face,
    },
  };
}

export function stateOf(parameter: Parameter): Pick<Asked, 'angle' | 'eyes' | 'mouth'> {
  switch (parameter) {
    case 'eyes open':
      return { eyes: 'open' };
    case 'eyes closed':
      return { eyes: 'closed' };
    case 'mouth open':
      return { mouth: 'open' };
    case 'mouth closed':
      return { mouth: 'closed' };
    default:
      return { angle: parameter };
  }
}
