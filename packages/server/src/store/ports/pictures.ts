/** A picture of a person: one of the templates of the face, with an id of its own. */
export interface PictureRecord {
  /** UUID */
  readonly pictureId: string;
  readonly userId: string;
  /** Position among the templates of the person, from 0. */
  readonly place: number;
}

/** Templates of a face that need ids: as many as `ids`. */
export interface UnnamedPictures {
  readonly userId: string;
  /** The gallery's version with which the face was written. */
  readonly seq: number;
  /** For the pictures without an id, by place. */
  readonly ids: readonly string[];
}

/** Crops of faces, sealed. Erased with the face. */
export interface CropStore {
  /** In the order in which they were added. */
  get(gallery: number, userId: string): Promise<Uint8Array[]>;
  /** The one that was added last; null: there is none. */
  newest(gallery: number, userId: string): Promise<Uint8Array | null>;
  /** Users from `first` to `last`, both inclusive, who have crops. */
  owners(gallery: number, first: string, last: string): Promise<ReadonlySet<string>>;
  /** Erases the crops of galleries (internal numbers). @returns how many */
  erase(galleries: readonly number[]): Promise<number>;
  /** Number of crops in all galleries. */
  count(): Promise<number>;
}

/** Ids of the pictures of a gallery (internal number). Erased with the face, and when it is replaced. */
export interface PictureStore {
  /** Gives ids to the pictures that have none, and erases those of pictures that are gone; ignores changed faces. */
  assign(gallery: number, faces: readonly UnnamedPictures[]): Promise<void>;
  get(gallery: number, pictureId: string): Promise<PictureRecord | null>;
  /** @param userId default: of all people */
  count(gallery: number, userId?: string): Promise<number>;
  /** In order of user_id and place. */
  page(
    gallery: number,
    page: { userId?: string | undefined; offset: number; limit: number },
  ): Promise<PictureRecord[]>;
}
