/** Distance of the samples of a grid, pixels. */
const STEP = 6;

/** A smooth map over a picture, sampled every few pixels. */
export interface Grid {
  readonly columns: number;
  readonly rows: number;
  readonly values: Float32Array;
}

export function gridOf(width: number, height: number, value: (x: number, y: number) => number): Grid {
  const [columns, rows] = [Math.ceil(width / STEP) + 1, Math.ceil(height / STEP) + 1];
  const values = new Float32Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      values[row * columns + column] = value(column * STEP, row * STEP);
    }
  }
  return { columns, rows, values };
}

export function mapGrid(grid: Grid, value: (old: number, index: number) => number): Grid {
  return { ...grid, values: grid.values.map(value) };
}

/** Bilinear. @param x and `y` in pixels of the picture */
export function gridAt({ columns, values }: Grid, x: number, y: number): number {
  const column = (x / STEP) | 0;
  const row = (y / STEP) | 0;
  const [fx, fy] = [x / STEP - column, y / STEP - row];
  const at = row * columns + column;
  const upper = values[at]! + (values[at + 1]! - values[at]!) * fx;
  const lower = values[at + columns]! + (values[at + columns + 1]! - values[at + columns]!) * fx;
  return upper + (lower - upper) * fy;
}
