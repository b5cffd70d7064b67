export type Place = readonly [x: number, y: number];
export type Colour = readonly [red: number, green: number, blue: number];

/** A face in a picture in memory, for painting. */
export interface PaintableFace {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Place of a point of the mesh, pixels. */
  readonly at: (index: number) => Place;
  /** Colour of the skin, 0…255. */
  readonly skin: Colour;
}
