/**
 * What `wajah size` and `wajah doctor` compute with. `npm run bench:sizing` on 23 November 2026: 2 virtual cores of an AMD
 * EPYC (Zen 4, AVX-512 VNNI), Node 20.20, built-in pack, photographs of 1024 × 768, while other programs kept both cores
 * busy; CPU time of the server and its worker, over HTTP. docs/operations/sizing.md has the same numbers.
 */
export const measured = {
  /** CPU milliseconds of a call. */
  cpuMs: {
    enrol: 97,
    verify: 45,
    /** Among 1,000, 10,000 and 100,000 people. */
    identify: [43, 42, 45],
    /** More for each million people: docs/performance.md, over HTTP. */
    identifyMillion: 16,
    /** Five steps with three frames each. */
    session: 1315,
  },
  memoryMb: {
    /** The server's process with empty galleries, resident. */
    server: 145,
    /** A worker after liveness sessions, resident. */
    worker: 250,
    /** Resident memory that 111,000 people added. */
    people: 203,
    /** WAJAH_BODIES_BYTES by default. */
    bodies: 537,
    /** Left to the system and its cache of files. */
    system: 500,
  },
  /** Bytes. */
  disk: {
    embeddedFace: 1407,
    postgresFace: 1278,
    /** Each further picture of a person, in either store: a template of 256 dimensions. */
    picture: 1062,
    /** docs/operations.md, audit trail. */
    auditRecord: 400,
  },
  /** CPU seconds: a start until it answers, and the first search among 1,000, 10,000 and 100,000 people. */
  startSeconds: 1.5,
  firstSearchSeconds: [0.43, 0.9, 3.5],
} as const;

/** Memory of a cached face, bytes: a line through those of 128 and 512 dimensions (docs/scaling.md). */
export function bytesOfFace(dimensions: number): number {
  return 58 + 5.003 * dimensions;
}
