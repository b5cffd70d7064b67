import { z } from 'zod';
import { EngineError } from '../errors.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in lower-case hexadecimal');
const fileName = z.string().regex(/^[a-z0-9][a-z0-9._-]*$/, 'must be a plain file name');
const shape = z.array(z.int().positive()).min(1);

/** Files of an npm package from which a network is converted. */
const sourceSchema = z.strictObject({
  package: z.string().min(1),
  version: z.string().min(1),
  /** `tfjs-graph`: topology, weights. `dlib-resnet`: weights manifest, weights. */
  kind: z.enum(['tfjs-graph', 'dlib-resnet']),
  /** Paths inside the package. */
  files: z.tuple([
    z.strictObject({ path: z.string().min(1), sha256 }),
    z.strictObject({ path: z.string().min(1), sha256 }),
  ]),
});

const networkSchema = z.strictObject({
  /** Name of the ONNX file. */
  file: fileName,
  licence: z.string().min(1),
  origin: z.string().min(1),
  source: sourceSchema,
  /** Input `input`: [batch, channels, height, width]. */
  input: z.strictObject({ channels: z.literal(3), height: z.int().positive(), width: z.int().positive() }),
  /** RGB values 0…255 become (value − mean) / divisor. */
  normalisation: z.strictObject({
    mean: z.tuple([z.number(), z.number(), z.number()]),
    divisor: z.number().positive(),
  }),
  /** Outputs by name: shape without the batch, and the node of a tfjs graph that they come from. */
  outputs: z.record(z.string(), z.strictObject({ shape, node: z.string().min(1).optional() })),
  /** How the stages read the outputs. */
  decoder: z.enum(['blazeface', 'facemesh', 'iris', 'vector']),
  /** Score at or above which an answer counts, where the decoder has one. */
  threshold: z.number().min(0).max(1).optional(),
  /**
   * Where points of the mesh land in the aligned crop: fractions of its side before padding; with padding p a
   * fraction f lands at (f + p) / (1 + 2p).
   */
  alignment: z
    .strictObject({
      padding: z.number().nonnegative(),
      points: z.array(z.strictObject({ mesh: z.int().nonnegative(), x: z.number(), y: z.number() })).min(2),
    })
    .optional(),
});

/** The roles of a pack's networks. */
export const roles = ['detector', 'mesh', 'iris', 'features', 'embedder'] as const;

/** Description of a model pack: what its networks are, where they come from, how they are fed and read. */
export const packManifestSchema = z.strictObject({
  format: z.literal(1),
  id: z.string().regex(/^[a-z0-9-]+$/),
  version: z.string().min(1),
  /** Similarity at or above which two faces count as one person. */
  threshold: z.number().min(0).max(1),
  /** Calibration curve, a file beside the manifest. */
  curve: fileName,
  /** With pack and version: what templates are pinned to. */
  embedding: z.strictObject({
    embedder: z.string().min(1),
    alignment: z.string().min(1),
    dimensions: z.int().positive(),
    normalisation: z.string().min(1),
  }),
  networks: z.strictObject({
    detector: networkSchema,
    mesh: networkSchema,
    iris: networkSchema,
    features: networkSchema,
    embedder: networkSchema,
  }),
});

export type PackManifest = z.infer<typeof packManifestSchema>;
export type NetworkManifest = z.infer<typeof networkSchema>;

/**
 * Reads a manifest.
 *
 * @throws EngineError `pack` that names each field that is wrong
 */
export function parseManifest(text: string): PackManifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new EngineError('pack', 'The pack manifest is not JSON.', { cause });
  }
  const parsed = packManifestSchema.safeParse(value);
  if (!parsed.success) {
    throw new EngineError('pack', `The pack manifest is not valid: ${z.prettifyError(parsed.error)}`);
  }
  return parsed.data;
}
