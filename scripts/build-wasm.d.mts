/** Paths in the repository, without `.wat` and `.wasm`. */
export const modules: readonly string[];

export function fileOf(name: string, extension: 'wat' | 'wasm'): URL;

/** @returns the module that the checked-in source stands for */
export function buildModule(name: string): Promise<Uint8Array>;
