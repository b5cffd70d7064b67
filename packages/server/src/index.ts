export { commandHelp } from './cli/program.ts';
export { type Config, type Environment, loadConfig } from './config/config.ts';
export { fallbackText, settingList } from './config/settings.ts';
export { OperatorError, Refusal } from './errors.ts';
export { openApiDocument } from './http/openapi.ts';
export type { EvaluationTask } from './operations/evaluation.ts';
export { type Progress, showProgress } from './operations/terminal.ts';
export type {
  EvaluationCommands,
  EvaluationData,
  EvaluationReport,
} from './operator/evaluation.ts';
export { type Context, type Overrides, openContext } from './server/context.ts';
export { createLogger } from './server/logger.ts';
export { type RunningServer, startServer } from './server/serve.ts';
export type { ImpostorProducts } from './services/galleries/impostor-products.ts';
export { version } from './version.ts';
