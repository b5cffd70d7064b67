import { createHash } from 'node:crypto';
import { z } from 'zod';
import { OperatorError } from '../../errors.ts';
import { personTerms } from '../../operations/import-export.ts';

/** A gallery of an export; its people follow. */
const exportedGallery = z.object({
  client_id: z.string(),
  facegallery_id: z.string(),
  /** Of the templates, JSON. */
  embedding_spec: z.string().refine(isJson),
});

/** A person of an export, as text. */
const exportedPerson = z.object({
  user_id: z.string().min(1),
  user_name: z.string(),
  /** float32, little-endian, base64. */
  templates: z.array(z.string().refine((text) => Buffer.byteLength(text, 'base64') % 4 === 0)).readonly(),
  /** JPEG as base64, and the box of the face in it, pixels. */
  crops: z
    .array(
      z.object({
        jpeg: z.string(),
        box: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
      }),
    )
    .readonly(),
  /** Consent and end of retention. */
  terms: personTerms,
});

/** Who holds the key may have written anything. */
const peopleLine = z.union([
  z.strictObject({ gallery: exportedGallery }),
  z.strictObject({ person: exportedPerson }),
  z.strictObject({ end: z.object({ people: z.int(), sha256: z.string() }) }),
]);

export type ExportedGallery = Readonly<z.infer<typeof exportedGallery>>;
export type ExportedPerson = Readonly<z.infer<typeof exportedPerson>>;
type PeopleLine = z.infer<typeof peopleLine>;

/** Writes the lines of an export, and at its end their number and digest. */
export function createPeopleLines() {
  const hash = createHash('sha256');
  let people = 0;
  const add = (line: PeopleLine) => {
    const text = `${JSON.stringify(line)}\n`;
    hash.update(text);
    return text;
  };
  return {
    gallery: (gallery: ExportedGallery) => add({ gallery }),
    person: (person: ExportedPerson) => {
      people += 1;
      return add({ person });
    },
    end: () => `${JSON.stringify({ end: { people, sha256: hash.digest('hex') } })}\n`,
  };
}

/** The people of an export with their galleries. @throws OperatorError when it is damaged or its end is missing */
export async function* readPeople(
  lines: AsyncIterable<string>,
): AsyncGenerator<{ readonly gallery: ExportedGallery; readonly person: ExportedPerson | null }> {
  const hash = createHash('sha256');
  let gallery: ExportedGallery | undefined;
  let isComplete = false;
  for await (const text of lines) {
    const line = parseLine(text);
    if ('end' in line) isComplete = line.end.sha256 === hash.digest('hex');
    else {
      hash.update(`${text}\n`);
      if ('gallery' in line) gallery = line.gallery;
      if (gallery) yield { gallery, person: 'person' in line ? line.person : null };
    }
  }
  if (!isComplete) throw new OperatorError('the export is damaged or incomplete');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function parseLine(text: string): PeopleLine {
  try {
    return peopleLine.parse(JSON.parse(text));
  } catch (error) {
    throw new OperatorError('the export is damaged: a line cannot be read', { cause: error });
  }
}

export function templateText(template: Float32Array): string {
  return Buffer.from(template.buffer, template.byteOffset, template.byteLength).toString('base64');
}

export function templateOfText(text: string): Float32Array {
  // A copy, since the bytes need not be aligned to four.
  return new Float32Array(new Uint8Array(Buffer.from(text, 'base64')).buffer);
}
