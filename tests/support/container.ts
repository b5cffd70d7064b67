import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { Run } from './program.ts';

const has = (program: string) => ['/usr/sbin', '/usr/bin'].some((place) => existsSync(join(place, program)));

/** Whether this machine makes and runs images; runc also runs on machines with the first version of control groups. */
export const canRunImages =
  process.getuid?.() === 0 && ['podman', 'runc', 'buildah', 'mmdebstrap'].every(has);

/** An image in a storage of its own, and one volume of data. */
export class Container {
  readonly #storage = temporaryDirectory();
  readonly #image: string;

  /**
   * @param archive of an OCI layout with one image
   * @param image its name, with the version
   */
  constructor(archive: string, image: string) {
    this.#image = image;
    this.podman('load', '--quiet', '--input', archive);
  }

  /** @returns the standard output */
  podman(...args: string[]): string {
    return execFileSync('podman', [...this.#places, ...args], { encoding: 'utf8', stdio: 'pipe' });
  }

  /** Starts the command of the image as deploy/compose does: root read-only, no capabilities, data in a volume. */
  serve(port: number): Run {
    const rights = ['--read-only', '--tmpfs=/tmp', '--cap-drop=all', '--security-opt=no-new-privileges'];
    // The limits of this process: raising them needs a right that sandboxes take away.
    const limits = ['--ulimit=nofile=4096:4096', '--ulimit=nproc=4096:4096'];
    const settings = ['--env=WAJAH_HOST=127.0.0.1', `--env=WAJAH_PORT=${port}`, '--env=WAJAH_PAD_PACK=off'];
    const options = [...rights, ...limits, ...settings, '--network=host', '--volume=data:/var/lib/wajah'];
    const command = ['podman', ...this.#places, 'run', '--rm', '--name=wajah', ...options, this.#image];
    return new Run({}, [], command);
  }

  /** A file of the volume. */
  readData(name: string): string {
    return readFileSync(join(this.#storage, 'root/volumes/data/_data', name), 'utf8');
  }

  get #places(): string[] {
    const folders = ['--root', join(this.#storage, 'root'), '--runroot', join(this.#storage, 'run')];
    return [...folders, '--storage-driver=vfs', '--cgroup-manager=cgroupfs', '--runtime=runc'];
  }
}
