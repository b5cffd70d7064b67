/** @returns the module that the checked-in source stands for */
export function buildScan(): Promise<Uint8Array>;
