type Tag = readonly [name: string, data: Buffer];

/** An ICC profile of RGB whose table of colours has `grid` points an axis (ICC.1:2001-04, lut16Type), with any colours. */
export function tableProfile(grid: number): Buffer {
  const tags: Tag[] = [
    ['desc', described('desc', 100, [0, 2])],
    ['cprt', described('text', 12, [])],
    ['wtpt', described('XYZ ', 20, WHITE)],
    ['A2B0', colourTable(grid)],
  ];
  const table = Buffer.alloc(4 + 12 * tags.length);
  table.writeUInt32BE(tags.length);
  let end = HEADER + table.length;
  for (const [i, [name, data]] of tags.entries()) {
    table.write(name, 4 + 12 * i, 'latin1');
    table.writeUInt32BE(end, 8 + 12 * i);
    table.writeUInt32BE(data.length, 12 + 12 * i);
    end += data.length;
  }
  return Buffer.concat([header(end), table, ...tags.map(([, data]) => data)]);
}

const HEADER = 128;
/** D50 as fixed-point numbers. */
const WHITE = [0xf6d6, 0x10000, 0xd32d];

function header(size: number): Buffer {
  const data = Buffer.alloc(HEADER);
  data.writeUInt32BE(size);
  data.writeUInt32BE(0x02400000, 8);
  data.write('prtrRGB Lab ', 12, 'latin1');
  data.write('acsp', 36, 'latin1');
  for (const [i, value] of WHITE.entries()) data.writeInt32BE(value, 68 + 4 * i);
  return data;
}

function described(type: string, size: number, values: readonly number[]): Buffer {
  const data = Buffer.alloc(size);
  data.write(type, 'latin1');
  const from = type === 'XYZ ' ? 8 : 4;
  for (const [i, value] of values.entries()) data.writeInt32BE(value, from + 4 * i);
  return data;
}

function colourTable(grid: number): Buffer {
  const curves = Buffer.from([0, 0, 255, 255, 0, 0, 255, 255, 0, 0, 255, 255]);
  const start = Buffer.alloc(52);
  start.write('mft2', 'latin1');
  start.set([3, 3, grid], 8);
  for (const i of [0, 4, 8]) start.writeInt32BE(0x10000, 12 + 4 * i);
  start.writeUInt16BE(2, 48);
  start.writeUInt16BE(2, 50);
  const colours = Buffer.alloc(grid ** 3 * 6);
  for (let at = 0; at < colours.length; at += 2) colours.writeUInt16BE((at * 40_503) & 0xffff, at);
  const all = Buffer.concat([start, curves, colours, curves]);
  return Buffer.concat([all, Buffer.alloc((4 - (all.length % 4)) % 4)]);
}
