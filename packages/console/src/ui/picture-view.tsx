import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Picture } from '../draw/picture.ts';

/** Pixels of a picture. */
interface Size {
  readonly width: number;
  readonly height: number;
  /** Those that one pixel of the page shows. */
  readonly pixel: number;
}

/** A picture, and what is drawn over it in its pixels: hidden from screen readers, which read what stands beside it. */
export function PictureView(props: {
  picture: Picture;
  alt: string;
  look?: string;
  children?: (size: Size) => ComponentChildren;
}) {
  const { picture, alt, look = '', children } = props;
  const [size, setSize] = useState<Size>();
  return (
    <span class="canvas">
      <img
        src={picture.url}
        alt={alt}
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height, clientWidth } }) =>
          setSize({ width, height, pixel: width / Math.max(1, clientWidth) })
        }
      />
      {size && children && (
        <svg class={`overlay ${look}`} viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
          {children(size)}
        </svg>
      )}
    </span>
  );
}
