// Owns a data directory until it is killed.
import { lockDataDirectory } from '../../dist/store/data-directory.js';

const owned = lockDataDirectory(process.argv[2]);
owned.publish({ url: 'http://127.0.0.1:8080' });
process.stdout.write('owned\n');
// As a server, which refers to it until it ends: the driver closes a file that nobody refers to.
setInterval(() => owned.path, 1000);
