import { probeProviders } from '../session.ts';

process.stdout.write(`${JSON.stringify(await probeProviders(process.argv.slice(2)))}\n`);
