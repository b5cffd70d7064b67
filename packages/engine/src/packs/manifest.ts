import { z } from 'zod';
import { EngineError } from '../errors.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in lower-case hexadecimal');
const fileName = z.string().regex(/^[a-z0-9][a-z0-9._-]*$/, 'must be a plain file name');
const shape = z.array(z.int().positive()).min(1);

/** Files of an npm package from which a network is converted. */
const packageSchema = z.strictObject({
  package: z.string().min(1),
  version: z.string().min(1),
  kind: z.literal('tfjs-graph'),
  /** What is put right before the graph is converted, see `mend-prelus.ts`. */
  mend: z.literal('prelus').optional(),
  /** Paths inside the package: topology, weights. */
  files: z.tuple([
    z.strictObject({ path: z.string().min(1), sha256 }),
    z.strictObject({ path: z.string().min(1), sha256 }),
  ]),
});

/** A file that is downloaded, or put in place by hand. */
const downloadSchema = z.strictObject({
  kind: z.literal('onnx'),
  url: z.url({ protocol: /^https?$/ }),
  sha256,
  bytes: z.int().positive(),
});

/** A point of the mesh, or one of the five of `Face.landmarks`, and where it lands in the aligned crop. */
const anchorSchema = z.union([
  z.strictObject({ mesh: z.int().nonnegative(), x: z.number(), y: z.number() }),
  z.strictObject({ landmark: z.int().min(0).max(4), x: z.number(), y: z.number() }),
]);

const networkSchema = z.strictObject({
  /** Name of the ONNX file. */
  file: fileName,
  licence: z.string().min(1),
  origin: z.string().min(1),
  source: z.union([packageSchema, downloadSchema]),
  /** The first input: [batch, channels, height, width]. */
  input: z.strictObject({
    channels: z.literal(3),
    height: z.int().positive(),
    width: z.int().positive(),
    /** `rgb` unless said otherwise. */
    order: z.enum(['rgb', 'bgr']).optional(),
    /** Takes one picture at a time. */
    single: z.literal(true).optional(),
  }),
  /** Values 0…255 become (value − mean) / divisor; in the order of the input's channels. */
  normalisation: z.strictObject({
    mean: z.tuple([z.number(), z.number(), z.number()]),
    divisor: z.union([
      z.number().positive(),
      z.tuple([z.number().positive(), z.number().positive(), z.number().positive()]),
    ]),
  }),
  /**
   * Outputs by the name that the stages know: shape without the batch, and the node of a tfjs graph that they come
   * from, or the name that an ONNX file has for it (an only output goes by any name).
   */
  outputs: z.record(z.string(), z.strictObject({ shape, node: z.string().min(1).optional() })),
  /** How the stages read the outputs. */
  decoder: z.enum(['blazeface', 'yunet', 'facemesh', 'iris', 'vector', 'map', 'minifasnet']),
  /** Score at or above which an answer counts, where the decoder has one. */
  threshold: z.number().min(0).max(1).optional(),
  /**
   * Where points of the face land in the aligned crop: fractions of its side before padding; with padding p a
   * fraction f lands at (f + p) / (1 + 2p).
   */
  alignment: z
    .strictObject({
      padding: z.number().nonnegative(),
      /** `whole-face`: all of the mesh, see `stages/whole-face.ts`. */
      points: z.union([z.literal('whole-face'), z.array(anchorSchema).min(2)]),
    })
    .optional(),
  /** Side of the crop over the longer side of the face box, for networks that see the face unaligned. */
  crop: z.number().positive().optional(),
});

/** The roles that an installed pack may have a network for. */
export const replaceable = ['detector', 'mesh', 'iris', 'features', 'embedder'] as const;
/** The roles of the built-in pack's networks; what spoofs look like was learned with the built-in scene network. */
export const roles = [...replaceable, 'scene'] as const;

const head = {
  format: z.literal(1),
  id: z.string().regex(/^[a-z0-9][a-z0-9-]*$/),
  version: z.string().min(1),
};
/** Similarity at or above which two faces count as one person. */
const threshold = z.number().min(0).max(1);
/** With pack and version: what templates are pinned to. */
const embedding = z.strictObject({
  embedder: z.string().min(1),
  alignment: z.string().min(1),
  dimensions: z.int().positive(),
  normalisation: z.string().min(1),
});

/** Description of a model pack: what its networks are, where they come from, how they are fed and read. */
export const packManifestSchema = z.strictObject({
  ...head,
  threshold,
  curve: fileName.optional(),
  /** How templates are made of what embedder and features network say; without it they are the embedder's answer. */
  template: fileName.optional(),
  embedding,
  networks: z.strictObject({
    detector: networkSchema,
    mesh: networkSchema,
    iris: networkSchema,
    features: networkSchema,
    embedder: networkSchema,
    scene: networkSchema,
  }),
});

/**
 * What a pack that is installed brings: some networks, licensed as it says. The rest is the built-in pack's. With an
 * embedder come what templates are pinned to, the operating point and, where it was measured, a curve.
 */
export const packDefinitionSchema = z
  .strictObject({
    ...head,
    /** What it is, in a sentence. */
    about: z.string().min(1),
    /** Whether the licences of all its files allow commercial use, as far as they say. */
    commercial: z.boolean(),
    threshold: threshold.optional(),
    /** Calibration curve, a file beside the manifest; without one, the operator calibrates. */
    curve: fileName.optional(),
    embedding: embedding.optional(),
    networks: z.strictObject({
      detector: networkSchema.optional(),
      mesh: networkSchema.optional(),
      iris: networkSchema.optional(),
      features: networkSchema.optional(),
      embedder: networkSchema.optional(),
      'spoof-near': networkSchema.optional(),
      'spoof-wide': networkSchema.optional(),
    }),
  })
  .refine(
    ({ networks, embedding, threshold }) => !networks.embedder || (embedding && threshold !== undefined),
    {
      path: ['embedding'],
      message: 'a pack with an embedder names its embedding and its threshold',
    },
  )
  .refine(({ networks }) => !networks.features || networks.embedder, {
    path: ['networks', 'features'],
    message: 'the built-in templates need the built-in features: bring an embedder as well',
  })
  .refine(({ networks }) => Object.values(networks).every((network) => network?.source.kind === 'onnx'), {
    path: ['networks'],
    message: 'each network needs a source of kind onnx',
  })
  .refine(({ networks }) => Object.keys(networks).length > 0, {
    path: ['networks'],
    message: 'at least one is needed',
  });

export type PackDefinition = z.infer<typeof packDefinitionSchema>;

export type PackManifest = z.infer<typeof packManifestSchema>;
export type NetworkManifest = z.infer<typeof networkSchema>;

/**
 * Reads a manifest.
 *
 * @throws EngineError `pack` that names each field that is wrong
 */
export function parseManifest(text: string): PackManifest {
  return parseText(packManifestSchema, text);
}

/**
 * Reads the definition of a pack that is installed.
 *
 * @throws EngineError `pack` that names each field that is wrong
 */
export function parseDefinition(text: string): PackDefinition {
  return parseText(packDefinitionSchema, text);
}

function parseText<T>(schema: z.ZodType<T>, text: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new EngineError('pack', 'The pack manifest is not JSON.', { cause });
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    throw new EngineError('pack', `The pack manifest is not valid: ${z.prettifyError(parsed.error)}`);
  }
  return parsed.data;
}
