export { commandHelp } from './cli/help.ts';
export { type Config, type Environment, loadConfig } from './config.ts';
export { OperatorError, Refusal } from './errors.ts';
export { fallbackText, type Setting, settings } from './settings.ts';
export { version } from './version.ts';
