import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** Default folder of labelled pictures, beside the repository. */
export const DEFAULT_FOLDER = fileURLToPath(new URL('../../../../shared/eval', import.meta.url));

const split = z.enum(['dev', 'test']);
/** `dev` for learning and tuning, `test` for reporting. */
export type Split = z.infer<typeof split>;

const picture = z.object({ file: z.string().min(1), split });
const angle = z.number().min(-180).max(180);

const presentation = picture.extend({
  label: z.enum(['real', 'spoof']),
  attack: z.enum(['print', 'phone', 'monitor', 'mask', 'injection', 'unknown']).nullable(),
  framing: z.enum(['frame', 'crop']),
  person: z.string().min(1),
  collection: z.string().min(1),
  device: z.enum(['phone', 'webcam']).optional(),
});

/** Schema of a manifest entry, by task. */
export const manifests = {
  verification: picture.extend({
    identity: z.string().min(1),
    region: z.enum(['sea', 'ea', 'sa']).nullish(),
  }),
  mask: picture.extend({ label: z.enum(['mask', 'no_mask']), kind: z.string() }),
  eyes_mouth: picture.extend({
    label: z.object({
      eyes: z.enum(['open', 'closed', 'one_closed', 'any']),
      mouth: z.enum(['open', 'closed', 'any']),
    }),
  }),
  pose: picture.extend({
    label: z.string(),
    yaw: angle.optional(),
    pitch: angle.optional(),
    roll: angle.optional(),
  }),
  spoof: picture.extend({ label: z.enum(['real', 'spoof']), attack: z.string().nullable() }),
  pad: presentation,
  pad2: presentation,
  selfies: picture.extend({
    identity: z.string().min(1),
    device: z.enum(['phone', 'webcam']),
    kind: z.enum(['picture', 'film']),
  }),
  portraits: picture.extend({
    identity: z.string().min(1),
    group: z.string(),
    born: z.number().optional(),
    gender: z.string().optional(),
    ethnicity: z.string().optional(),
  }),
  crowd: picture.extend({ faces: z.number().int().min(0) }),
  idcard: picture.extend({
    identity: z.string().min(1).optional(),
    variant: z.enum(['flat', 'photo']).optional(),
  }),
  films: picture.extend({
    label: z.enum(['real', 'spoof']),
    attack: z.string().nullable(),
    person: z.string().min(1),
  }),
  negatives: picture.extend({ label: z.string(), faces: z.literal(0) }),
} as const;

/** Name of a task's folder. */
export type Task = keyof typeof manifests;
/** A labelled picture of a task; `file` is relative to the task's folder. */
export type Entry<T extends Task> = z.infer<(typeof manifests)[T]>;

/** A folder of labelled pictures: one folder for each task, with a manifest. */
export class EvalFolder {
  readonly root: string;

  /** @throws Error when the folder does not exist */
  constructor(root: string = DEFAULT_FOLDER) {
    if (!existsSync(root)) throw new Error(`no folder of labelled pictures at ${root}: name one with --data`);
    this.root = root;
  }

  /** Entries of a task, of one split if it is given, in the order of the manifest. */
  entries<T extends Task>(task: T, of?: Split): Entry<T>[] {
    const path = join(this.root, task, 'manifest.json');
    const parsed = z.array(manifests[task]).safeParse(JSON.parse(readFileSync(path, 'utf8')));
    if (!parsed.success) throw new Error(`${path}: ${z.prettifyError(parsed.error)}`);
    const entries = parsed.data as Entry<T>[];
    return of ? entries.filter((entry) => entry.split === of) : entries;
  }

  /** Bytes of a task's picture. */
  bytes(task: Task, file: string): Uint8Array {
    return readFileSync(join(this.root, task, file));
  }

  /** Whether the folder has pictures of a task. */
  has(task: Task): boolean {
    return existsSync(join(this.root, task, 'manifest.json'));
  }

  /** Whether the split has a list of pairs. */
  hasPairs(of: Split): boolean {
    return existsSync(this.#pairsFile(of));
  }

  /** Verification pairs of a split. */
  pairs(of: Split): Pair[] {
    return parsePairs(readFileSync(this.#pairsFile(of), 'utf8'));
  }

  #pairsFile(of: Split): string {
    return join(this.root, 'verification', `pairs-${of}.csv`);
  }
}

/** A pair of pictures of `verification`; `same`: genuine. */
export interface Pair {
  readonly a: string;
  readonly b: string;
  readonly same: boolean;
  readonly subset: string;
}

/**
 * Reads `a,b,same,subset` lines under that header; `same` is 1 or 0.
 * @throws Error that names the line
 */
export function parsePairs(csv: string): Pair[] {
  const [header, ...lines] = csv.trimEnd().split(/\r?\n/);
  if (header !== 'a,b,same,subset') throw new Error(`pairs: header is "${header}", not "a,b,same,subset"`);
  return lines.map((line, i) => {
    const [a, b, same, subset, ...rest] = line.split(',');
    if (!a || !b || !subset || rest.length > 0 || (same !== '0' && same !== '1')) {
      throw new Error(`pairs: line ${i + 2} is not a,b,0|1,subset`);
    }
    return { a, b, same: same === '1', subset };
  });
}

/** Whether the default folder exists; tests that need it are skipped otherwise. */
export function hasEvalFolder(): boolean {
  return existsSync(DEFAULT_FOLDER);
}
