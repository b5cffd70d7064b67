import { constants, setPriority } from 'node:os';
import type { Embedder } from '@wajah/engine';
import type { Config } from '../../config/config.ts';
import { packChoice } from '../../config/pack-choice.ts';
import { OperatorError } from '../../errors.ts';
import type { AdminOperations } from '../../operations/table.ts';
import { embeddingSpecText, packName, upgradeOf } from '../../services/galleries/embedding-spec.ts';
import { archiveSecret, type SecretFiles } from '../archive-secret.ts';
import { openCommandEmbedder } from '../embedder.ts';
import { type HttpOptions, openHttpTarget } from './http-target.ts';
import { openJournal } from './journal.ts';
import { type ImportSource, withTemplates } from './people.ts';
import { openReport } from './report.ts';
import { type ImportResult, type ImportRun, type ImportTarget, runImport } from './run.ts';
import { openCompreFaceApi } from './sources/compreface-api.ts';
import { openCompreFaceSource } from './sources/compreface-database.ts';
import { openCsv } from './sources/csv-source.ts';
import { openFolder } from './sources/folder-source.ts';
import { openPeopleFile } from './sources/people-file.ts';
import { openZip } from './sources/zip-source.ts';
import { openStraightTarget, picturesPerWorker, type StraightOptions } from './straight-target.ts';

/** Where the people of an import come from. */
export type SourceChoice =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'csv'; readonly path: string }
  | { readonly kind: 'zip'; readonly path: string; readonly root: string }
  | { readonly kind: 'compreface-api'; readonly api: string; readonly key: string }
  | (SecretFiles & {
      readonly kind: 'people';
      readonly path: string;
      readonly from: string | undefined;
      readonly reembed: boolean;
    })
  | { readonly kind: 'compreface-database'; readonly database: string; readonly key: string | undefined };

/** What the command line adds to the rules of the installation. */
export type StraightChoice = Omit<StraightOptions, 'rules'> & {
  readonly force: boolean;
  readonly quality: boolean;
  readonly singleFace: boolean;
};

interface Told extends Pick<ImportRun, 'progress' | 'refusal'> {
  readonly perPerson: number;
  /** File of the report; undefined: none. */
  readonly report: string | undefined;
}

/** Enrols many people. The operations throw an OperatorError when they cannot be done. */
export function importOperations(config: Config) {
  return {
    /** Into a gallery of this installation. @param admin runs work in the process that owns the store */
    straight: async (
      choice: SourceChoice,
      options: StraightChoice,
      told: Told,
      admin: <T>(work: (operations: AdminOperations) => Promise<T>) => Promise<T>,
    ): Promise<ImportResult> => {
      const source = await openSource(config, choice, told.perPerson);
      // A server on the same machine keeps its speed.
      setPriority(constants.priority.PRIORITY_LOW);
      const engine = await openCommandEmbedder(config, await packChoice(config.packs), picturesPerWorker);
      try {
        const comparable = comparableSource(source, engine.embedder);
        return await admin(async (operations) => {
          const rules = rulesOf(config, options);
          const target = await openStraightTarget(config, operations, engine, { ...options, rules });
          return run(comparable, target, options.replace, told);
        });
      } finally {
        await engine.embedder.close();
        await source.close();
      }
    },
    /** Into a gallery of a server. @param journal file */
    http: async (
      choice: SourceChoice,
      options: Omit<HttpOptions, 'journal'> & { readonly journal: string },
      told: Told,
    ): Promise<ImportResult> => {
      const source = await openSource(config, choice, told.perPerson);
      const journal = openJournal(options.journal);
      try {
        const result = await run(
          source,
          await openHttpTarget({ ...options, journal }),
          options.replace,
          told,
        );
        journal.finish();
        return result;
      } finally {
        journal.close();
        await source.close();
      }
    },
  };
}

async function run(
  source: ImportSource,
  target: ImportTarget,
  replace: boolean,
  { report: file, progress, refusal }: Told,
): Promise<ImportResult> {
  const report = openReport(file);
  try {
    return await runImport(source, target, { replace, report, progress, refusal });
  } finally {
    await target.close();
    report.close();
  }
}

/**
 * Exported templates of an earlier version are converted.
 * @throws OperatorError when they are of another pack and their crops are not to be embedded again
 */
function comparableSource(source: ImportSource, embedder: Embedder): ImportSource {
  const { embeddingSpec } = source;
  const own = embeddingSpecText(embedder.embeddingSpec);
  if (embeddingSpec === undefined || embeddingSpec === own) return source;
  const upgrade = upgradeOf(embedder, embeddingSpec);
  if (upgrade) return { ...source, people: withTemplates(source.people, upgrade) };
  throw new OperatorError(
    `the templates of the file are of the pack ${packName(embeddingSpec)}, this installation runs ${packName(own)}, and they cannot be compared; --reembed computes new ones from the crops that were kept`,
  );
}

function rulesOf(
  { limits, keepFaceCrops }: Config,
  { force, quality, singleFace }: Pick<StraightChoice, 'force' | 'quality' | 'singleFace'>,
): StraightOptions['rules'] {
  return {
    minimumFace: force ? 0 : limits.minFaceEnrol,
    singleFace: singleFace || limits.singleFace,
    quality,
    keepCrops: keepFaceCrops,
  };
}

function openSource(config: Config, choice: SourceChoice, perPerson: number): Promise<ImportSource> {
  const { imageBytes } = config.limits;
  if (choice.kind === 'people') return openPeopleFile(choice.path, choice, archiveSecret(config, choice));
  if (choice.kind === 'folder') return openFolder(choice.path, perPerson, imageBytes);
  if (choice.kind === 'csv') return openCsv(choice.path, perPerson, imageBytes);
  if (choice.kind === 'zip') return openZip(choice.path, choice.root, perPerson, imageBytes);
  if (choice.kind === 'compreface-api')
    return openCompreFaceApi(choice.api, choice.key, perPerson, imageBytes);
  return openCompreFaceSource(choice.database, choice.key, perPerson, imageBytes);
}
