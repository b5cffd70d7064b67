/** Crops of faces, sealed. Erased with the face. */
export interface CropStore {
  /** In the order in which they were added. */
  get(gallery: number, userId: string): Promise<Uint8Array[]>;
  /** Erases the crops of galleries (internal numbers). @returns how many */
  erase(galleries: readonly number[]): Promise<number>;
  /** Number of crops in all galleries. */
  count(): Promise<number>;
}

/** Pairs of users of a gallery (internal number) that are marked as different people. Erased with either of them. */
export interface DifferentPeopleStore {
  /** Does nothing unless both are enrolled; idempotent. */
  mark(gallery: number, users: readonly [string, string]): Promise<void>;
  unmark(gallery: number, users: readonly [string, string]): Promise<void>;
  isMarked(gallery: number, users: readonly [string, string]): Promise<boolean>;
  /** Users who are marked as other people than this one, in order. */
  listOf(gallery: number, userId: string): Promise<string[]>;
}

/** A face without a template for the next embedding spec. */
export interface PendingFace {
  readonly userId: string;
  /** The gallery's version with which the face was written. */
  readonly seq: number;
  /** Sealed, in the order in which they were added. */
  readonly crops: readonly Uint8Array[];
}

/** A template for the next embedding spec. */
export interface MigratedTemplate {
  readonly userId: string;
  /** Seq of the face it was extracted from. */
  readonly seq: number;
  /** Sealed; null: the face is deleted by the switch. */
  readonly template: Uint8Array | null;
}

/** `done`, the number of faces without a template, or null when no migration to that spec is under way. */
export type MigrationOutcome = 'done' | { readonly pending: number } | null;

/**
 * Template migration: templates for the next embedding spec of a gallery are stored beside the current ones until
 * every face has one. Then the gallery is switched, in one transaction or in several with `migrating` set, during which
 * its templates are not comparable. A gallery has at most one next embedding spec, given as JSON.
 */
export interface TemplateMigrationStore {
  /** Sets the next spec and erases templates for another one. Naming the current spec ends the migration. */
  begin(gallery: number, embeddingSpec: string): Promise<void>;
  /** Number of faces without a template; null when this is not the next spec. */
  countPending(gallery: number, embeddingSpec: string): Promise<number | null>;
  /** At most `limit` pending faces with a seq after `after`, in order of seq; empty when this is not the next spec. */
  nextPending(gallery: number, embeddingSpec: string, after: number, limit: number): Promise<PendingFace[]>;
  /**
   * Stores templates. Ignores those whose face was replaced or erased since.
   * @param sealedWith the gallery's wrapped key that they were sealed with
   * @returns false when this is not the next spec, or the gallery has another key
   */
  storeTemplates(
    gallery: number,
    embeddingSpec: string,
    templates: readonly MigratedTemplate[],
    sealedWith?: Uint8Array,
  ): Promise<boolean>;
  /** Switches the gallery if no face is pending, or resumes an interrupted switch. */
  switchGallery(gallery: number, embeddingSpec: string, at: Date): Promise<MigrationOutcome>;
}
