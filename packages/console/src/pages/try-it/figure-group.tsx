import type { ComponentChildren } from 'preact';
import type { DetectedFace } from '../../api/types.ts';
import type { Layer } from './face-overlay.tsx';

export interface FiguresProps {
  readonly face: DetectedFace;
  /** Spoof score from which on a face is a spoof, 0 to 1. */
  readonly spoofThreshold: number | undefined;
  /** Highlights a layer of the overlay; undefined for none. */
  readonly onHighlight: (layer: Layer | undefined) => void;
}

export function FigureGroup(props: {
  title: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="group">
      <div class="row between">
        <h3>{props.title}</h3>
        {props.aside}
      </div>
      {props.children}
    </section>
  );
}
