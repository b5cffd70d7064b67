import { ignoreClosedOutput, processTerminal } from '../operations/terminal.ts';
import { runCommand } from './run.ts';

ignoreClosedOutput();
process.exitCode = await runCommand(process.argv.slice(2), processTerminal);
