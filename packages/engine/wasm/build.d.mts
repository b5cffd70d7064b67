/** @returns the module that the checked-in source stands for */
export function buildCrop(): Promise<Uint8Array>;
