import { createHash } from 'node:crypto';
import type { FaceCrop } from '@wajah/engine';
import type { PersonTermsText } from '../../admin/inputs.ts';
import { OperatorError } from '../../errors.ts';

/** A gallery of an export; its people follow. */
export interface ExportedGallery {
  readonly client_id: string;
  readonly facegallery_id: string;
  /** Of the templates, JSON. */
  readonly embedding_spec: string;
}

/** A person of an export, as text. */
export interface ExportedPerson {
  readonly user_id: string;
  readonly user_name: string;
  /** float32, little-endian, base64. */
  readonly templates: readonly string[];
  /** JPEG as base64, and the box of the face in it, pixels. */
  readonly crops: readonly { readonly jpeg: string; readonly box: FaceCrop['box'] }[];
  /** Consent and end of retention. */
  readonly terms: PersonTermsText;
}

type PeopleLine =
  | { readonly gallery: ExportedGallery }
  | { readonly person: ExportedPerson }
  | { readonly end: { readonly people: number; readonly sha256: string } };

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
    const line = JSON.parse(text) as PeopleLine;
    if ('end' in line) isComplete = line.end.sha256 === hash.digest('hex');
    else {
      hash.update(`${text}\n`);
      if ('gallery' in line) gallery = line.gallery;
      if (gallery) yield { gallery, person: 'person' in line ? line.person : null };
    }
  }
  if (!isComplete) throw new OperatorError('the export is damaged or incomplete');
}

export function templateText(template: Float32Array): string {
  return Buffer.from(template.buffer, template.byteOffset, template.byteLength).toString('base64');
}

export function templateOfText(text: string): Float32Array {
  // A copy, since the bytes need not be aligned to four.
  return new Float32Array(new Uint8Array(Buffer.from(text, 'base64')).buffer);
}
