import { z } from 'zod';
import { envelope } from './answers.ts';

const bytes = z.int().meta({ description: 'Bytes.' });

export const statusAnswer = envelope.extend({
  version: z.string(),
  started_at: z.string().meta({ description: 'ISO 8601.' }),
  uptime_seconds: z.int(),
  node: z.string(),
  engine: z.object({
    workers: z.int(),
    running: z.int(),
    queued: z.int(),
    queue: z.int().meta({ description: 'Pictures that may wait.' }),
    busy: z.int().meta({ description: 'Calls refused as busy since the start.' }),
  }),
  packs: z.array(
    z.object({
      id: z.string(),
      version: z.string(),
      roles: z.array(z.string()),
      in_use: z.boolean(),
      licence: z.string(),
    }),
  ),
  memory: z.object({
    rss: bytes,
    heap_used: bytes,
    match_budget: bytes,
    match_used: bytes,
    galleries_loaded: z.int(),
  }),
  store: z.object({
    kind: z.enum(['sqlite', 'postgres']),
    bytes: bytes.optional(),
    migration: z.int().meta({ description: 'Number of the newest step of the schema.' }),
  }),
  settings: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .meta({ description: 'Settings of note, as they are in force.' }),
  clients: z.int(),
});
