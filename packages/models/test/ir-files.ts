import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A layer of a network under test, which takes the values of earlier ones. */
export interface LayerSpec {
  readonly type: string;
  readonly shape: readonly number[];
  readonly takes?: readonly number[];
  readonly data?: Readonly<Record<string, string>>;
  /** Of a `Const`. */
  readonly values?: readonly number[];
  readonly version?: string;
}

/** The two files of a network. */
export interface IrFiles {
  readonly xml: string;
  readonly weights: Uint8Array;
}

/** Writes a network as OpenVINO does. Layers are named by type and number: `Add_3`. */
export function irFiles(layers: readonly LayerSpec[], version = '11'): IrFiles {
  const weights = layers.flatMap(({ values = [] }) => values);
  let offset = 0;
  const texts = layers.map(({ type, shape, takes = [], data, values, version: opset = 'opset1' }, id) => {
    const own: Record<string, string> = { ...data };
    if (values) {
      Object.assign(own, {
        element_type: 'f32',
        shape: shape.join(', '),
        offset: offset,
        size: 4 * values.length,
      });
      offset += 4 * values.length;
    }
    const attributes = Object.entries(own).map(([key, value]) => ` ${key}="${value}"`);
    const inputs = takes.map((from, port) => portOf(port, layers[from]?.shape ?? []));
    const output = type === 'Result' ? '' : `<output>${portOf(takes.length, shape)}</output>`;
    return `<layer id="${id}" name="${type}_${id}" type="${type}" version="${opset}">${
      attributes.length > 0 ? `<data${attributes.join('')} />` : ''
    }<input>${inputs.join('')}</input>${output}</layer>`;
  });
  const edges = layers.flatMap(({ takes = [] }, to) =>
    takes.map((from, port) => {
      const out = layers[from]?.takes?.length ?? 0;
      return `<edge from-layer="${from}" from-port="${out}" to-layer="${to}" to-port="${port}" />`;
    }),
  );
  const xml = `<?xml version="1.0"?>
<net name="test" version="${version}"><layers>${texts.join('\n')}</layers><edges>${edges.join('\n')}</edges></net>\n`;
  return { xml, weights: new Uint8Array(Float32Array.from(weights).buffer) };
}

function portOf(id: number, shape: readonly number[]): string {
  return `<port id="${id}" precision="FP32">${shape.map((side) => `<dim>${side}</dim>`).join('')}</port>`;
}

/** A network of one operation on a value, with constants beside it. */
export function oneLayer(
  layer: Pick<LayerSpec, 'type' | 'shape' | 'data'>,
  input: readonly number[],
  ...constants: readonly { readonly shape: readonly number[]; readonly values: readonly number[] }[]
): IrFiles {
  const ids = constants.map((_, i) => i + 1);
  const last = constants.length + 1;
  return irFiles([
    { type: 'Parameter', shape: input, data: { shape: input.join(','), element_type: 'f32' } },
    ...constants.map((constant) => ({ type: 'Const', ...constant })),
    { ...layer, takes: [0, ...ids] },
    { type: 'Result', shape: [], takes: [last] },
  ]);
}

const file = fileURLToPath(
  new URL('../../../../shared/models/face-reidentification-retail-0095', import.meta.url),
);

/** A whole network, which is no part of the repository; null where it does not lie beside it. */
export const retailFiles: IrFiles | null = existsSync(`${file}.xml`)
  ? { xml: readFileSync(`${file}.xml`, 'utf8'), weights: readFileSync(`${file}.bin`) }
  : null;
