import { z } from 'zod';

/** One weight of a tfjs weights manifest (the format of the tfjs converter, version 4). */
const weightSpecSchema = z.object({
  name: z.string(),
  shape: z.array(z.int().nonnegative()),
  dtype: z.enum(['float32', 'int32']),
  quantization: z
    .object({
      dtype: z.enum(['uint8', 'uint16', 'float16']),
      scale: z.number().optional(),
      min: z.number().optional(),
    })
    .optional(),
});

export const weightsManifestSchema = z.array(
  z.object({ weights: z.array(weightSpecSchema), paths: z.array(z.string()).min(1) }),
);

export type WeightSpec = z.infer<typeof weightSpecSchema>;

/** A decoded weight: row-major values in the layout of tfjs (NHWC, HWIO). */
export interface Weight {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

const BYTES = { float32: 4, int32: 4, uint8: 1, uint16: 2, float16: 2 } as const;

/**
 * Decodes and dequantises the weights of a binary weights file.
 * @throws Error when the file is shorter or longer than in its manifest
 */
export function decodeWeights(specs: readonly WeightSpec[], bytes: Uint8Array): Map<string, Weight> {
  const weights = new Map<string, Weight>();
  let offset = 0;
  for (const spec of specs) {
    const count = spec.shape.reduce((product, size) => product * size, 1);
    const length = count * BYTES[spec.quantization?.dtype ?? spec.dtype];
    if (offset + length > bytes.byteLength) throw sizeError(bytes.byteLength, offset + length);
    const view = new DataView(bytes.buffer, bytes.byteOffset + offset, length);
    weights.set(spec.name, { shape: spec.shape, data: decode(spec, view, count) });
    offset += length;
  }
  if (offset !== bytes.byteLength) throw sizeError(bytes.byteLength, offset);
  return weights;
}

function decode(spec: WeightSpec, view: DataView, count: number): Float32Array {
  const read = reader(spec, view);
  const data = new Float32Array(count);
  for (let i = 0; i < count; i += 1) data[i] = read(i);
  return data;
}

function reader(spec: WeightSpec, view: DataView): (index: number) => number {
  const scale = spec.quantization?.scale ?? 1;
  const min = spec.quantization?.min ?? 0;
  switch (spec.quantization?.dtype ?? spec.dtype) {
    case 'float32':
      return (i) => view.getFloat32(4 * i, true);
    case 'int32':
      return (i) => view.getInt32(4 * i, true);
    case 'float16':
      return (i) => halfToNumber(view.getUint16(2 * i, true));
    case 'uint8':
      return (i) => view.getUint8(i) * scale + min;
    case 'uint16':
      return (i) => view.getUint16(2 * i, true) * scale + min;
  }
}

function sizeError(found: number, expected: number): Error {
  return new Error(`A weights file has ${found} bytes where its manifest describes ${expected}.`);
}

/** IEEE 754 binary16 → number. */
function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
