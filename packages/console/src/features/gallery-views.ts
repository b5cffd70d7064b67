import type { ComponentType } from 'preact';
import type { Gallery } from '../api/types.ts';
import { Duplicates } from './duplicates/duplicates.tsx';
import { duplicates } from './duplicates/texts.ts';
import { unknown } from './unknown/texts.ts';
import { Unknown } from './unknown/view.tsx';

interface GalleryView {
  text(): string;
  readonly View: ComponentType<{ gallery: Gallery; onChanged: () => void }>;
}

/** Tabs of a gallery, by their names in the address. */
export const featureGalleryViews: Readonly<Record<string, GalleryView>> = {
  duplicates: { text: () => duplicates.view, View: Duplicates },
  unknown: { text: () => unknown.view, View: Unknown },
};
