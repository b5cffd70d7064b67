import { type Calibration, parseCurve } from '@wajah/engine';
import { z } from 'zod';
import type { MetaStore } from '../../store/store.ts';
import { calibrationKey } from './calibration-key.ts';

const contract = z.object({
  pack: z.string(),
  version: z.string(),
  embedder: z.string(),
  alignment: z.string(),
  dimensions: z.int().positive(),
  normalisation: z.string(),
});

/** Reads a calibration. @throws z.ZodError or EngineError `pack` when it is none */
export function parseCalibration(value: unknown): Calibration {
  const parsed = z.object({ contract, curve: z.unknown() }).parse(value);
  return { contract: parsed.contract, curve: parseCurve(parsed.curve) };
}

/** The curve that an operator installed for the whole server. */
export async function serverCalibration(meta: Pick<MetaStore, 'get'>): Promise<Calibration | undefined> {
  const text = await meta.get(calibrationKey);
  return text === null ? undefined : parseCalibration(JSON.parse(text));
}
