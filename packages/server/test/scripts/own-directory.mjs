// Owns a data directory until it is killed.
import { lockDataDirectory } from '../../dist/store/data-directory.js';

const owned = lockDataDirectory(process.argv[2]);
owned.publish({ operatorSocket: '/run/operator.sock' });
process.stdout.write('owned\n');
setInterval(() => {}, 1000);
