// What `@wajah/tools` needs of the server for a command.

export { type Config, type Environment, loadConfig } from './config/config.ts';
export { maskDatabaseUrl, parseDatabaseUrl } from './config/database-url.ts';
export { packChoice } from './config/pack-choice.ts';
export { asOperatorError, OperatorError } from './errors.ts';
export type { CommandDeps } from './operations/command.ts';
export type { Answer, CallEndpoint } from './operations/operator-calls.ts';
export type { UserIdReader } from './operations/people-file.ts';
export type { ToolCommands } from './operations/table.ts';
export {
  type Columns,
  megabytes,
  showProgress,
  type Terminal,
  table,
} from './operations/terminal.ts';
export type { EvaluationTask } from './operations/tools.ts';
export { openAuditChain } from './security/audit-chain.ts';
export {
  keyDigest,
  keyName,
  masterKeyCheck,
  requireKeyOfData,
  requireOneMasterKey,
  verifyMasterKey,
} from './security/keys/master-key.ts';
export { requirePrivateFile, syncPath } from './security/keys/private-file.ts';
export { type Keys, SealError } from './security/vaults/sealing.ts';
export {
  createTemplateVault,
  type GalleryVault,
  type TemplateVault,
} from './security/vaults/template-vault.ts';
export type { ImpostorProducts } from './services/galleries/ports.ts';
export { installStoredPacks } from './services/packs/stored-packs.ts';
export { readOwner, requireInstallation, takeDataDirectory } from './store/data-directory.ts';
export { FileLock } from './store/database/file-lock.ts';
export { version } from './version.ts';
