import type { ComponentChildren } from 'preact';
import type { DetectedFace } from '../../../api/types.ts';
import { keptSignal } from '../../../state/kept.ts';
import type { Layer } from '../face-overlay.tsx';

export interface FiguresProps {
  readonly face: DetectedFace;
  /** Spoof score from which on a face is a spoof, 0 to 1. */
  readonly spoofThreshold: number | undefined;
  /** Highlights a layer of the overlay; undefined for none. */
  readonly onHighlight: (layer: Layer | undefined) => void;
}

/** The groups that are unfolded; they stay so from face to face and from picture to picture. */
const unfolded = keptSignal<ReadonlySet<string>>(new Set());

/** Measurements that are folded below their title. */
export function FigureGroup(props: {
  name: string;
  title: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <details
      class="group"
      open={unfolded.value.has(props.name)}
      onToggle={({ currentTarget: { open } }) => {
        if (open === unfolded.value.has(props.name)) return;
        const others = [...unfolded.value].filter((name) => name !== props.name);
        unfolded.value = new Set(open ? [...others, props.name] : others);
      }}
    >
      <summary>
        <h3>{props.title}</h3>
        {props.aside}
      </summary>
      {props.children}
    </details>
  );
}
