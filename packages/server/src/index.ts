export { commandHelp } from './cli/program.ts';
export { type Config, type Environment, loadConfig } from './config/config.ts';
export { fallbackText, settingList } from './config/settings.ts';
export { OperatorError, Refusal } from './errors.ts';
export { type Progress, showProgress } from './operations/terminal.ts';
export { type Context, type Overrides, openContext } from './server/context.ts';
export { createLogger } from './server/logger.ts';
export { type RunningServer, startServer } from './server/serve.ts';
export { version } from './version.ts';
