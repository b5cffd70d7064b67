// Owns a data directory until it is killed.
import { lockDataDirectory } from '../../dist/store/data-directory.js';

const owned = lockDataDirectory(process.argv[2]);
owned.publish({ adminSocket: '/run/admin.sock' });
process.stdout.write('owned\n');
setInterval(() => {}, 1000);
