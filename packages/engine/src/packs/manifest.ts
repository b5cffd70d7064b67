import { z } from 'zod';
import { EngineError } from '../errors.ts';
import type { EmbeddingSpec } from '../types.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in lower-case hexadecimal');
const fileName = z.string().regex(/^[a-z0-9][a-z0-9._-]*$/, 'must be a plain file name');
const shape = z.array(z.int().positive()).min(1);

/** Files of an npm package that a network is converted from. */
const packageSchema = z.strictObject({
  package: z.string().min(1),
  version: z.string().min(1),
  kind: z.literal('tfjs-graph'),
  /** Of the converted file: the conversion is deterministic. */
  sha256,
  /** Repair before the conversion, see `models/src/repair-prelus.ts`. */
  repair: z.literal('prelus').optional(),
  /** Paths inside the package: topology, weights. */
  files: z.tuple([
    z.strictObject({ path: z.string().min(1), sha256 }),
    z.strictObject({ path: z.string().min(1), sha256 }),
  ]),
});

/** An ONNX file that is downloaded or copied from a folder. */
const downloadSchema = z.strictObject({
  kind: z.literal('onnx'),
  url: z.url({ protocol: /^https?$/ }),
  sha256,
  bytes: z.int().positive(),
});

/** A point of the mesh, or one of the five of `Face.landmarks`, and its place in the aligned crop. */
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
  /** Input = (value − mean) / divisor, values 0…255, in the order of the input's channels. */
  normalisation: z.strictObject({
    mean: z.tuple([z.number(), z.number(), z.number()]),
    divisor: z.union([
      z.number().positive(),
      z.tuple([z.number().positive(), z.number().positive(), z.number().positive()]),
    ]),
  }),
  /**
   * Outputs by the names that the stages use: shape without the batch, and the node of the tfjs graph or the output's name
   * in the ONNX file (a single output may have any name).
   */
  outputs: z.record(z.string(), z.strictObject({ shape, node: z.string().min(1).optional() })),
  /** File of the values that are computed in eight bits, see `packages/models/src/quantisation/quantise.ts`; absent: none. */
  quantised: fileName.optional(),
  /** Format of the outputs. */
  decoder: z.enum(['blazeface', 'yunet', 'facemesh', 'iris', 'vector', 'minifasnet', 'minifas-se']),
  /** Least score, for decoders that have one. */
  threshold: z.number().min(0).max(1).optional(),
  /**
   * Places of points of the face in the aligned crop, as fractions of its side before padding; with padding p a fraction f
   * is at (f + p) / (1 + 2p).
   */
  alignment: z
    .strictObject({
      padding: z.number().nonnegative(),
      /** `whole-face`: all points of the mesh. */
      points: z.union([z.literal('whole-face'), z.array(anchorSchema).min(2)]),
      /** All points of the mesh are laid where a mean face has them whose points lie on `points`. */
      whole: z.literal(true).optional(),
    })
    .optional(),
  /** The same network for a smaller square input, where that suffices. */
  smaller: z.strictObject({ file: fileName, sha256, side: z.int().positive() }).optional(),
  /** Side of the crop over the longer side of the face box, for networks on unaligned faces. */
  crop: z.number().positive().optional(),
});

/** Roles of the built-in networks; an installed pack may replace each. */
export const roles = ['detector', 'mesh', 'iris', 'features', 'embedder'] as const;
/** Purpose of a network in a pack. Inputs are NCHW float32, normalised as in its manifest. */
export type Role = (typeof roles)[number];

const head = {
  format: z.literal(1),
  id: z.string().regex(/^[a-z0-9][a-z0-9-]*$/),
  version: z.string().min(1),
};
/** Operating point: least similarity of a match, 0…1. */
const threshold = z.number().min(0).max(1);
/** With pack and version: the embedding specification. */
const embedding = z.strictObject({
  embedder: z.string().min(1),
  alignment: z.string().min(1),
  dimensions: z.int().positive(),
  normalisation: z.string().min(1),
});

/** Templates of another pack that are converted to those of this one, see `packs/upgrade.ts`. */
const upgrade = z.strictObject({
  /** Embedding specification as galleries have stored it: never changed. */
  from: z.strictObject({ pack: head.id, version: head.version, ...embedding.shape }),
  /** Values at the beginning of a template whose directions are the same in both versions. */
  keep: z.int().positive(),
});

const operatingPoint = z.strictObject({
  product: z.number().positive().lt(1),
  fmr: z.number().min(1e-6).max(0.5),
});
const operatingPoints = z
  .array(operatingPoint)
  .min(1)
  .refine(
    (points) => points.every(({ product, fmr }, i) => i === 0 || isBeyond(points[i - 1]!, product, fmr)),
    {
      message: 'products must rise from point to point, and the false match rates must fall',
    },
  );

function isBeyond(before: z.infer<typeof operatingPoint>, product: number, fmr: number): boolean {
  return product > before.product && fmr < before.fmr;
}

/** Published FMRs of an embedder, see `packs/provisional-curve.ts`. */
const published = z.strictObject({
  source: z.string().min(1),
  mean: z.number().min(-0.5).max(0.5).optional(),
  points: operatingPoints,
  similarPeople: operatingPoints.optional(),
});

/** Manifest of the built-in pack: its networks, their sources, inputs and outputs. */
const packManifestSchema = z
  .strictObject({
    ...head,
    threshold,
    curve: fileName.optional(),
    /** File of the template recipe; without one, templates are the embedder's output. */
    template: fileName.optional(),
    embedding,
    upgrades: z.array(upgrade).default([]),
    networks: z.strictObject({
      detector: networkSchema,
      mesh: networkSchema,
      iris: networkSchema,
      features: networkSchema,
      embedder: networkSchema,
    }),
  })
  .refine(
    ({ embedding: { dimensions }, upgrades }) =>
      upgrades.every(({ from, keep }) => keep <= Math.min(dimensions, from.dimensions)),
    { path: ['upgrades'], message: 'both templates need the values that are kept' },
  )
  .refine(
    ({ id, version, upgrades }) => !upgrades.some(({ from }) => from.pack === id && from.version === version),
    {
      path: ['upgrades'],
      message: 'an upgrade is from another version',
    },
  );

/**
 * Definition of an installable pack: networks that replace built-in ones, and their licences. A pack with an embedder has
 * its embedding specification, its operating point and, if measured, a calibration curve.
 */
const packDefinitionSchema = z
  .strictObject({
    ...head,
    /** Description in one sentence. */
    about: z.string().min(1),
    /** Whether the licences of all files state that they allow commercial use. */
    commercial: z.boolean(),
    threshold: threshold.optional(),
    /** File of the calibration curve beside the definition. */
    curve: fileName.optional(),
    /** Without a curve, a provisional one is computed from these. */
    published: published.optional(),
    /** Pictures that the networks were trained on, as their authors describe them. */
    trainingData: z.string().min(1).optional(),
    /** Time of a template over that of the built-in pack, and how it was measured. */
    cost: z.strictObject({ relative: z.number().positive(), basis: z.string().min(1) }).optional(),
    embedding: embedding.optional(),
    /** What the second embedder adds to the templates of the built-in pack. */
    adds: z
      .strictObject({
        /** Version of the built-in pack. */
        to: z.string().min(1),
        /** File of the recipe of the parts that are appended, beside the definition. */
        template: fileName,
      })
      .optional(),
    networks: z.strictObject({
      detector: networkSchema.optional(),
      mesh: networkSchema.optional(),
      iris: networkSchema.optional(),
      features: networkSchema.optional(),
      embedder: networkSchema.optional(),
      'second-embedder': networkSchema.optional(),
      'spoof-near': networkSchema.optional(),
      'spoof-close': networkSchema.optional(),
    }),
  })
  .refine(
    ({ networks, embedding, threshold }) =>
      !(networks.embedder || networks['second-embedder']) || (embedding && threshold !== undefined),
    {
      path: ['embedding'],
      message: 'a pack with an embedder names its embedding and its threshold',
    },
  )
  .refine(({ networks, adds }) => !networks['second-embedder'] === !adds && !(adds && networks.embedder), {
    path: ['adds'],
    message: 'a pack with a second embedder, and only that, names what it adds to the built-in one',
  })
  .refine(({ networks }) => !networks.features || networks.embedder, {
    path: ['networks', 'features'],
    message: 'the built-in templates need the built-in features: bring an embedder as well',
  })
  .refine(({ networks }) => Object.values(networks).every((network) => network && isInstalled(network)), {
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

/** Whether a network comes from an installed pack, not from the built-in one. */
export function isInstalled({ source }: Pick<NetworkManifest, 'source'>): boolean {
  return source.kind !== 'tfjs-graph';
}

/** Whether a pack finds or compares faces. */
export function isRecognitionPack({ networks }: Pick<PackDefinition, 'networks'>): boolean {
  return networks['second-embedder'] !== undefined || roles.some((role) => networks[role]);
}

/** The network that a manifest names for a smaller input, if it does; its outputs have as many fewer rows. */
export function smallerOf(network: NetworkManifest): NetworkManifest | null {
  const { smaller, source, input, outputs } = network;
  if (!smaller) return null;
  const { file, sha256, side } = smaller;
  const share = side ** 2 / (input.height * input.width);
  const fewer = Object.entries(outputs).map(([name, output]) => {
    const [rows = 1, ...others] = output.shape;
    return [name, { ...output, shape: [rows * share, ...others] }];
  });
  return {
    ...network,
    file,
    source: { ...source, sha256 },
    smaller: undefined,
    input: { ...input, height: side, width: side },
    outputs: Object.fromEntries(fewer),
  };
}

/** Specification that templates of a pack are pinned to. */
export function embeddingSpecOf(manifest: PackManifest): EmbeddingSpec {
  return { pack: manifest.id, version: manifest.version, ...manifest.embedding };
}

/** Parses a manifest. @throws EngineError `pack` that names each invalid field */
export function parseManifest(text: string): PackManifest {
  return parseText(packManifestSchema, text);
}

/** Parses the definition of an installable pack. @throws EngineError `pack` that names each invalid field */
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
