import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiError, asApiError } from '../../api/api-error.ts';
import type { Detection } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { type Picture, releasePictures } from '../../draw/picture.ts';

/** A picture with its detection or its error; with neither while it is sent. */
export interface PictureEntry {
  readonly picture: Picture;
  readonly detection?: Detection;
  readonly error?: ApiError;
}

/** Detects faces in one picture after another. */
export function useDetections() {
  const [entries, setEntries] = useState<readonly PictureEntry[]>([]);
  const [chosen, choose] = useState(0);
  const controller = useRef(new AbortController());
  const all = useRef<readonly PictureEntry[]>([]);
  all.current = entries;
  useEffect(
    () => () => {
      controller.current.abort();
      releasePictures(all.current.map(({ picture }) => picture));
    },
    [],
  );

  async function detect(picture: Picture): Promise<void> {
    const result = await detectionOf(picture, controller.current.signal);
    setEntries((before) => before.map((entry) => (entry.picture === picture ? result : entry)));
  }
  async function add(pictures: Picture[]): Promise<void> {
    choose(all.current.length);
    setEntries((before) => [...before, ...pictures.map((picture) => ({ picture }))]);
    for (const picture of pictures) await detect(picture);
  }
  async function retry(index: number): Promise<void> {
    const picture = all.current[index]?.picture;
    if (!picture) return;
    setEntries((before) => before.map((entry, i) => (i === index ? { picture } : entry)));
    await detect(picture);
  }
  return { entries, chosen, choose, add, retry };
}

async function detectionOf(picture: Picture, signal: AbortSignal): Promise<PictureEntry> {
  try {
    return {
      picture,
      detection: await wajah.detectFaces({ image: picture.blob, landmarks: 'mesh' }, { signal }),
    };
  } catch (error) {
    return { picture, error: asApiError(error) };
  }
}
