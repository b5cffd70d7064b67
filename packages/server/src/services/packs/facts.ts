import { downloadsOf, type PackDefinition } from '@wajah/engine';

/** Of what is downloaded. */
export const bytesOf = (pack: PackDefinition): number =>
  downloadsOf(pack).reduce((sum, { bytes }) => sum + bytes, 0);

/** Of its networks, each once. */
export const licencesOf = ({ networks }: PackDefinition): string[] => [
  ...new Set(Object.values(networks).flatMap((network) => network?.licence ?? [])),
];
