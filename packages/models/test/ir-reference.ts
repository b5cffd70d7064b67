/** A value: row-major, with its shape. */
export interface Value {
  readonly shape: readonly number[];
  readonly data: Float64Array;
}

/** A layer as it stands in the `.xml` file. */
interface Layer {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, string>>;
}

/**
 * Runs a network of OpenVINO layer by layer, as its specification defines the operations of opset1, in 64-bit floating
 * point. It shares nothing with the converter, so that a fault of the one is not a fault of the other.
 */
export function runIr(xml: string, weights: Uint8Array, input: Value): Value {
  const layers = [...xml.matchAll(/<layer ([^>]*)>(.*?)<\/layer>/gs)].map(
    ([, head = '', body = '']): Layer => {
      const { id = '', type = '' } = attributesOf(head);
      return { id, type, data: attributesOf(/<data ([^>]*)\/>/.exec(body)?.[1] ?? '') };
    },
  );
  const edges = [...xml.matchAll(/<edge ([^>]*)\/>/g)].map(([, text = '']) => attributesOf(text));
  const values = new Map<string, Value>();
  const compute = (id: string): Value => {
    const layer = layers.find((each) => each.id === id)!;
    const own = edges.filter((edge) => edge['to-layer'] === id);
    own.sort((a, b) => Number(a['to-port']) - Number(b['to-port']));
    const inputs = own.map((edge) => {
      const from = edge['from-layer']!;
      if (!values.has(from)) values.set(from, compute(from));
      return values.get(from)!;
    });
    if (layer.type === 'Parameter') return input;
    if (layer.type === 'Const') return constantOf(layer, weights);
    return operations[layer.type]!(inputs, layer.data);
  };
  return compute(layers.find(({ type }) => type === 'Result')!.id);
}

function attributesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    Array.from(text.matchAll(/([\w-]+)="([^"]*)"/g), ([, key, value]) => [key, value]),
  );
}

function constantOf({ data }: Layer, weights: Uint8Array): Value {
  const shape = numbers(data['shape']);
  const count = shape.reduce((product, side) => product * side, 1);
  const view = new DataView(
    weights.buffer,
    weights.byteOffset + Number(data['offset']),
    Number(data['size']),
  );
  const read = (i: number) =>
    data['element_type'] === 'f16' ? half(view.getUint16(2 * i, true)) : view.getFloat32(4 * i, true);
  return { shape, data: Float64Array.from({ length: count }, (_, i) => read(i)) };
}

function numbers(text = ''): number[] {
  return text
    .split(',')
    .filter((part) => part.trim())
    .map(Number);
}

/** IEEE 754 binary16, by moving sign, exponent and fraction into a binary32 and correcting its bias. */
function half(bits: number): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, ((bits & 0x8000) << 16) | ((bits & 0x7fff) << 13));
  return view.getFloat32(0) * 2 ** 112;
}

type Data = Layer['data'];
type Operation = (inputs: readonly Value[], data: Data) => Value;

const operations: Readonly<Record<string, Operation>> = {
  Convert: ([value]) => value!,
  Result: ([value]) => value!,
  Add: ([a, b]) => broadcast(a!, b!, (x, y) => x + y),
  Multiply: ([a, b]) => broadcast(a!, b!, (x, y) => x * y),
  Sigmoid: ([value]) => ({ shape: value!.shape, data: value!.data.map((x) => 1 / (1 + Math.exp(-x))) }),
  PReLU: ([value, slope]) => {
    const perChannel = { ...slope!, shape: slope!.data.length === 1 ? [1] : [slope!.data.length, 1, 1] };
    return broadcast(value!, perChannel, (x, by) => (x < 0 ? by * x : x));
  },
  Convolution: ([value, filter], data) =>
    convolve(value!, { ...filter!, shape: [1, ...filter!.shape] }, data),
  GroupConvolution: ([value, filter], data) => convolve(value!, filter!, data),
  AvgPool: ([value], data) => averagePool(value!, data),
};

function broadcast(a: Value, b: Value, of: (x: number, y: number) => number): Value {
  const rank = Math.max(a.shape.length, b.shape.length);
  const [left, right] = [a, b].map(({ shape }) => [...new Array(rank - shape.length).fill(1), ...shape]);
  const shape = left!.map((side, i) => Math.max(side, right![i]));
  const data = new Float64Array(shape.reduce((product, side) => product * side, 1));
  const steps = (sides: readonly number[]) =>
    sides.map((side, i) =>
      side === 1 ? 0 : sides.slice(i + 1).reduce((product, each) => product * each, 1),
    );
  const [stepsA, stepsB] = [steps(left!), steps(right!)];
  const place = shape.map(() => 0);
  let [atA, atB] = [0, 0];
  for (let i = 0; i < data.length; i++) {
    data[i] = of(a.data[atA]!, b.data[atB]!);
    for (let axis = rank - 1; axis >= 0; axis--) {
      const isEnd = place[axis] === shape[axis]! - 1;
      const by = isEnd ? -place[axis]! : 1;
      place[axis]! += by;
      atA += by * stepsA[axis]!;
      atB += by * stepsB[axis]!;
      if (!isEnd) break;
    }
  }
  return { shape, data };
}

/** Positions of a window on one axis: [output, input, offset in the window], of places inside of the input. */
function* window(size: number, kernel: number, axis: 0 | 1, data: Data): Generator<[number, number, number]> {
  const of = (key: string) => numbers(data[key])[axis] ?? 1;
  const [stride, before, after, dilation] = ['strides', 'pads_begin', 'pads_end', 'dilations'].map(of) as [
    number,
    number,
    number,
    number,
  ];
  for (let out = 0; out * stride + dilation * (kernel - 1) < size + before + after; out++) {
    for (let k = 0; k < kernel; k++) {
      const from = out * stride + k * dilation - before;
      if (from >= 0 && from < size) yield [out, from, k];
    }
  }
}

function convolve(value: Value, filter: Value, data: Data): Value {
  const [, , height = 0, width = 0] = value.shape;
  const [groups = 0, outputs = 0, inputs = 0, kernelHeight = 0, kernelWidth = 0] = filter.shape;
  const rows = [...window(height, kernelHeight, 0, data)];
  const columns = Int32Array.from([...window(width, kernelWidth, 1, data)].flat());
  const [toHeight, toWidth] = [sidesOf(height, kernelHeight, 0, data), sidesOf(width, kernelWidth, 1, data)];
  const sums = new Float64Array(groups * outputs * toHeight * toWidth);
  for (let channel = 0; channel < groups * outputs; channel++) {
    const first = Math.floor(channel / outputs) * inputs;
    for (let input = 0; input < inputs; input++) {
      for (const [y, fromY, ky] of rows) {
        const source = ((first + input) * height + fromY) * width;
        const weight = ((channel * inputs + input) * kernelHeight + ky) * kernelWidth;
        const target = (channel * toHeight + y) * toWidth;
        for (let i = 0; i < columns.length; i += 3) {
          sums[target + columns[i]!]! +=
            value.data[source + columns[i + 1]!]! * filter.data[weight + columns[i + 2]!]!;
        }
      }
    }
  }
  return { shape: [1, groups * outputs, toHeight, toWidth], data: sums };
}

function sidesOf(size: number, kernel: number, axis: 0 | 1, data: Data): number {
  const of = (key: string) => numbers(data[key])[axis] ?? 1;
  const extent = of('dilations') * (kernel - 1) + 1;
  return Math.floor((size + of('pads_begin') + of('pads_end') - extent) / of('strides')) + 1;
}

function averagePool(
  { shape: [, channels = 0, height = 0, width = 0], data: from }: Value,
  data: Data,
): Value {
  const [kernelHeight = 0, kernelWidth = 0] = numbers(data['kernel']);
  const [toHeight, toWidth] = [sidesOf(height, kernelHeight, 0, data), sidesOf(width, kernelWidth, 1, data)];
  const rows = [...window(height, kernelHeight, 0, data)];
  const columns = [...window(width, kernelWidth, 1, data)];
  const means = new Float64Array(channels * toHeight * toWidth);
  for (let i = 0; i < means.length; i++) {
    const [channel, y, x] = [
      Math.floor(i / toWidth / toHeight),
      Math.floor(i / toWidth) % toHeight,
      i % toWidth,
    ];
    let [sum, count] = [0, 0];
    for (const [, fromY] of rows.filter(([out]) => out === y)) {
      for (const [, fromX] of columns.filter(([out]) => out === x)) {
        sum += from[(channel * height + fromY) * width + fromX]!;
        count++;
      }
    }
    means[i] = sum / (data['exclude-pad'] === 'true' ? count : kernelHeight * kernelWidth);
  }
  return { shape: [1, channels, toHeight, toWidth], data: means };
}
