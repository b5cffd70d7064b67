import { installPack, type PackDefinition } from '@wajah/engine';
import { bytesOf, licencesOf } from '../services/packs/facts.ts';

/** What became of a recommended pack, for the log and the operator. */
export interface FetchedPack {
  readonly installed: boolean;
  readonly line: string;
}

/** Limits of a download. */
export interface Bounds {
  /** Milliseconds without a byte after which the start, or the download, ends. */
  readonly idleMs: number;
  /** Milliseconds after which it ends in any case. */
  readonly mostMs: number;
}

/** Of a download that a start waits for: a firewall that drops packets delays it by the former, a slow line by the latter. */
export const ofStart: Bounds = { idleMs: 3_000, mostMs: 10_000 };

/**
 * Downloads and installs a pack.
 * @returns its size, licences and hosts, in words
 * @throws Error that says why it did not come
 */
export async function fetchPack(
  pack: PackDefinition,
  folder: string,
  { idleMs, mostMs }: Bounds,
  stop: AbortController,
): Promise<string> {
  const after = (ms: number, reason: string) =>
    setTimeout(() => stop.abort(new Error(`${reason} ${ms / 1000} seconds`)), ms);
  const idle = after(idleMs, 'no byte came for');
  const most = after(mostMs, 'it would take more than');
  try {
    await installPack(pack, folder, { stop: stop.signal, progress: () => void idle.refresh() });
  } finally {
    clearTimeout(idle);
    clearTimeout(most);
  }
  const sources = Object.values(pack.networks).map((network) => network?.source);
  const hosts = sources.map((source) => (source?.kind === 'onnx' ? new URL(source.url).host : ''));
  const megabytes = (bytesOf(pack) / 1e6).toFixed(1);
  return `${megabytes} MB, ${licencesOf(pack).join(', ')}, from ${[...new Set(hosts)].join(', ')}`;
}

/** Why a pack did not come, for the middle of a sentence. */
export const reasonOf = (error: unknown): string => (error as Error).message.replace(/\.$/, '');
