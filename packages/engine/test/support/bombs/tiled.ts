import sharp, { type Sharp } from 'sharp';

/**
 * A large picture of small ones in rows: drawing faces or noise for all of it takes minutes.
 * @param tiles encoded squares of `side` pixels, repeated in turn
 */
export async function tiled(
  tiles: readonly Buffer[],
  { side, across, down }: { side: number; across: number; down: number },
): Promise<Sharp> {
  const pixels = await Promise.all(tiles.map((tile) => sharp(tile).removeAlpha().raw().toBuffer()));
  const bytes = 3 * side;
  const all = Buffer.alloc(across * down * side * bytes);
  for (let row = 0; row < down * side; row++) {
    for (let column = 0; column < across; column++) {
      const tile = pixels[(Math.floor(row / side) * across + column) % pixels.length]!;
      tile.copy(all, (row * across + column) * bytes, (row % side) * bytes, ((row % side) + 1) * bytes);
    }
  }
  return sharp(all, { raw: { width: across * side, height: down * side, channels: 3 } });
}
