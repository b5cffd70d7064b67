import type { ComponentType } from 'preact';
import type { Gallery } from '../api/types.ts';
import type { Named } from '../draw/user-id.ts';
import { Duplicates } from './duplicates/duplicates.tsx';
import { duplicates } from './duplicates/texts.ts';
import { readMissing, takeList } from './expected/given-list.ts';
import { expectedTab } from './expected/tab-text.ts';
import { Expected } from './expected/view.tsx';
import { unknown } from './unknown/texts.ts';
import { Unknown } from './unknown/view.tsx';

interface GalleryView {
  text(): string;
  readonly View: ComponentType<{ gallery: Gallery; onChanged: () => void }>;
  /** Takes tables that name no pictures. @returns false: they are not for this view */
  take?(gallery: string, files: readonly File[]): Promise<boolean>;
  /** People who are to be enrolled, and are not. */
  awaited?(gallery: string, signal: AbortSignal): Promise<readonly Named[]>;
}

/** Tabs of a gallery, by their names in the address. */
export const featureGalleryViews: Readonly<Record<string, GalleryView>> = {
  expected: { text: () => expectedTab.view, View: Expected, take: takeList, awaited: readMissing },
  duplicates: { text: () => duplicates.view, View: Duplicates },
  unknown: { text: () => unknown.view, View: Unknown },
};
