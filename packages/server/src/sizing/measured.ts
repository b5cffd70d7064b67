/**
 * What `wajah size` computes with. `npm run bench sizing` on 23 November 2026: 2 virtual cores of an AMD
 * EPYC (Zen 3, AVX2, no VNNI), Node 20.20, built-in pack, photographs of 1024 × 768, without other programs; CPU time of
 * the server and its worker, over HTTP. What grows with a template is of the 320 values of `plus`, computed from what 224
 * and 256 took: 4 bytes of disk a value, memory in proportion. docs/operations/sizing.md has the same numbers.
 */
export const measured = {
  /** CPU milliseconds of a call. */
  cpuMs: {
    enrol: 106,
    verify: 47,
    /** Among 1,000, 10,000 and 100,000 people. */
    identify: [47, 44, 52],
    /** More for each million people: docs/dev/performance.md. */
    identifyMillion: 15,
    /** Five steps with three frames each. */
    session: 960,
  },
  memoryMb: {
    /** The server's process with empty galleries, resident. */
    server: 123,
    /** A worker after liveness sessions, resident. */
    worker: 261,
    /** Resident memory that 111,000 people added. */
    people: 296,
    /** What bodies in flight add at most, with the default of WAJAH_BODIES_BYTES. */
    bodies: 537,
    /** Left to the system and its cache of files. */
    system: 500,
  },
  /** Bytes. */
  disk: {
    embeddedFace: 1461,
    postgresFace: 1522,
    /** Each further picture of a person, in either store. */
    picture: 1318,
    auditRecord: 400,
  },
  /**
   * CPU seconds: a start until it answers, and the first search among 1,000, 10,000 and 100,000 people, with the first
   * statistics of the gallery. The searches: on 30 November 2026, beside other programs.
   */
  startSeconds: 2.7,
  firstSearchSeconds: [0.41, 0.62, 3.14],
} as const;
