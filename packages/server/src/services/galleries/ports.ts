/** A threshold that a call names: a similarity, or what it is beside the service's own threshold of that decision. */
export type Limit = number | ((own: number) => number);

/** The operating point that a call requests: a similarity, or a false match rate of one comparison, not both. */
export interface OperatingPoint {
  readonly threshold?: Limit | undefined;
  readonly far?: number | undefined;
}

/** A request whose threshold may depend on the service's own. */
export type Limited<Request extends { threshold?: number | undefined }> = Omit<Request, 'threshold'> &
  Pick<OperatingPoint, 'threshold'>;
