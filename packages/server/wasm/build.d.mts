/** @returns the module that the checked-in source stands for */
export function buildModule(name: 'scan' | 'frames'): Promise<Uint8Array>;
