export type {
  EvaluationCommands,
  EvaluationData,
  EvaluationReport,
  EvaluationTask,
} from './cli/evaluation-commands.ts';
export { commandHelp } from './cli/help.ts';
export { type Config, type Environment, loadConfig } from './config.ts';
export { type Context, type Overrides, openContext } from './context.ts';
export { OperatorError, Refusal } from './errors.ts';
export { createLogger } from './logger.ts';
export { openApiDocument } from './openapi.ts';
export { type RunningServer, startServer } from './serve.ts';
export { fallbackText, type Setting, settings } from './settings.ts';
export { version } from './version.ts';
