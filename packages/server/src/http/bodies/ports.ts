/** Most bytes of a body and of what it consists of. */
export interface BodyBounds {
  /** All that is no picture: names, texts, punctuation, the heads of a form's fields. */
  readonly rest: number;
  /** A picture, decoded. */
  readonly picture: number;
  /** Fields that take a picture, as errors name them. */
  readonly pictureFields: readonly string[];
}

/** Reads a body while it arrives. */
export interface BodyReader<Body> {
  /** @throws Refusal as soon as a bound is exceeded */
  write(chunk: Buffer): void;
  /** Called once, after the last chunk. */
  end(): Body;
}
