// Owns a data directory until it is killed.
import { ownDataDirectory } from '../../dist/store/data-directory.js';

const owned = ownDataDirectory(process.argv[2]);
owned.describe({ adminSocket: '/run/admin.sock' });
process.stdout.write('owned\n');
setInterval(() => {}, 1000);
