import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AlignedFaceImage } from '@wajah/engine';
import { hashProbesOf, MOVED_LIMIT, movedDistance, samePictureQuery } from '@wajah/engine/series';
import { hourMs, minuteMs } from '../../lib/time.ts';
import { openFramePart } from '../../security/vaults/row-vaults.ts';
import type { Keys } from '../../security/vaults/sealing.ts';
import type { FrameReader, StoredFramePart } from '../../store/session-store.ts';
import type { SearchedFrame } from './frame-index.ts';
import { type FrameRange, PackedHashes, type ResemblingFrame } from './packed-hashes.ts';

/** Rows that are read at once. */
const pageRows = 1000;
/** Hashes whose difference under small moves is computed, for each side of a frame, the nearest ones. */
const mostResembling = 256;
/** Frames whose details are compared, the nearest ones. */
const mostCompared = 8;
/** The store knows for an hour which frames were erased. After so long without that knowledge all are read again. */
const rereadMs = 50 * minuteMs;

interface Candidate {
  readonly id: number;
  readonly mirrored: boolean;
  readonly difference: number;
}

/** The opened hashes of the remembered frames of a store. */
export class RememberedFrames {
  readonly #reader: FrameReader;
  readonly #keys: Keys;
  readonly #hours: number;
  readonly #hashes = new PackedHashes();
  #cursor = 0;
  /** When the erased frames were read, milliseconds. */
  #erasedReadAt = Number.NEGATIVE_INFINITY;
  #last: Promise<void> = Promise.resolve();

  /** @param hours how long frames are remembered */
  constructor(reader: FrameReader, keys: Keys, hours: number) {
    this.#reader = reader;
    this.#keys = keys;
    this.#hours = hours;
  }

  /** Reads what was recorded, and forgets what was erased, by this server or another. @returns number of hashes */
  async refresh(): Promise<number> {
    await this.#load();
    const readAt = Date.now();
    for (const id of await this.#reader.erased()) this.#hashes.erase(id);
    this.#erasedReadAt = readAt;
    return this.#hashes.size;
  }

  /** As `FrameIndex.findUsed`. */
  async findUsed(frames: readonly SearchedFrame[], before: number): Promise<boolean[]> {
    const since = this.#since();
    const used = await Promise.all(frames.map(({ digest }) => this.#reader.hasDigest(digest, since, before)));
    await this.#load();
    const searched = frames.flatMap(({ image }, at) => (image && !used[at] ? { image, at } : []));
    const range = { before, since: since.getTime() };
    // Erased frames would stand in the way of others: whoever sends a frame again and again could fill the nearest ones.
    if ((await this.#search(searched, range, used)) === 'some erased') {
      await this.refresh();
      await this.#search(searched, range, used);
    }
    return used;
  }

  /** Marks the frames that are one of those in memory. */
  async #search(
    frames: readonly { readonly image: AlignedFaceImage; readonly at: number }[],
    range: FrameRange,
    used: boolean[],
  ): Promise<'done' | 'some erased'> {
    const found = this.#hashes.search(
      frames.flatMap(({ image }) => hashProbesOf(image)),
      range,
      mostResembling,
    );
    let erased = false;
    for (const [i, { image, at }] of frames.entries()) {
      const same = await this.#isOneOf(image, candidatesOf(image, [found[2 * i]!, found[2 * i + 1]!]));
      used[at] = same === true;
      erased ||= same === 'some erased';
    }
    return erased ? 'some erased' : 'done';
  }

  /** Whether a frame is one of the candidates; where none is, whether some of them were erased. */
  async #isOneOf(
    image: AlignedFaceImage,
    candidates: readonly Candidate[],
  ): Promise<boolean | 'some erased'> {
    const query = samePictureQuery(image);
    let erased = false;
    for (const { id, mirrored } of candidates) {
      const [part] = await this.#reader.details([id]);
      const detail = part && this.#open('detail', part);
      if (detail && query.isSamePicture(detail, mirrored)) return true;
      erased ||= !part;
    }
    return erased && 'some erased';
  }

  #since(): Date {
    return new Date(Date.now() - this.#hours * hourMs);
  }

  /** One after the other, so that no row is added twice. */
  #load(): Promise<void> {
    this.#last = this.#last.catch(() => undefined).then(() => this.#loadNewer());
    return this.#last;
  }

  async #loadNewer(): Promise<void> {
    if (Date.now() - this.#erasedReadAt > rereadMs) {
      this.#hashes.clear();
      this.#cursor = 0;
      this.#erasedReadAt = Date.now();
    }
    for (;;) {
      const rows = await this.#reader.hashes(this.#cursor, this.#since(), pageRows);
      for (const row of rows) {
        const hash = this.#open('hash', row);
        if (hash) this.#hashes.add(row.id, row.sentAt.getTime(), hash);
      }
      this.#cursor = rows.at(-1)?.id ?? this.#cursor;
      if (rows.length < pageRows) return;
      await nextTurn();
    }
  }

  /** A row that cannot be opened was damaged, or written under another key: it matches nothing. */
  #open(part: 'hash' | 'detail', { sessionId, sealed }: StoredFramePart): Uint8Array | undefined {
    try {
      return openFramePart(this.#keys, part, sessionId, sealed);
    } catch {
      return undefined;
    }
  }
}

/** @param sides hashes that resemble the frame, and its mirror image */
function candidatesOf(image: AlignedFaceImage, sides: readonly ResemblingFrame[][]): Candidate[] {
  const all = sides.flatMap((resembling, side): Candidate[] => {
    if (resembling.length === 0) return [];
    const mirrored = side === 1;
    const difference = movedDistance(image, mirrored);
    return resembling.map(({ id, words }) => ({ id, mirrored, difference: difference(words) }));
  });
  return all
    .filter(({ difference }) => difference <= MOVED_LIMIT)
    .sort((a, b) => a.difference - b.difference)
    .slice(0, mostCompared);
}
