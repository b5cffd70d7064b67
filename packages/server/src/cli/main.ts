import { runCommand } from './run.ts';
import { ignoreClosedOutput, processTerminal } from './terminal.ts';

ignoreClosedOutput();
process.exitCode = await runCommand(process.argv.slice(2), processTerminal);
