import { linkSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ARCHITECTURES, archive, EPOCH, hasProgram, root, run, VERSION } from './tools.mjs';

const DOCKERFILE = join(root, 'deploy/image/Dockerfile');

/** What the programs of the image load, and a shell for operators. */
const PACKAGES_OF_BASE =
  'base-files,base-passwd,libc6,libgcc-s1,libstdc++6,dash,coreutils,grep,sed,tzdata,netbase,ca-certificates';

/**
 * Makes the image of the Dockerfile for one processor, as an archive of an OCI layout, without a daemon and without a
 * registry: the base consists of packages of Debian.
 * @param out folder of the archive of `makeTree`, and of the image
 * @param work folder for its content, emptied first
 * @param arch `x64` or `arm64`
 * @returns its file name; undefined where the programs for it are missing
 */
export function makeImage(out, work, arch) {
  if (!['buildah', 'mmdebstrap'].every(hasProgram)) return undefined;
  const architecture = ARCHITECTURES[arch];
  const tree = `wajah-${VERSION}-linux-${architecture}.tar.xz`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(join(work, 'context'), { recursive: true });
  linkSync(join(out, tree), join(work, 'context', tree));
  const buildah = inStorage(join(work, 'storage'));
  const base = makeBase(buildah, work, architecture);
  const options = ['--platform', `linux/${architecture}`, '--build-arg', `BASE=${base}`, '--pull-never'];
  const labels = Object.entries(LABELS).flatMap(([key, value]) => ['--label', `${key}=${value}`]);
  const fixed = ['--timestamp', EPOCH, '--identity-label=false', '--tag', `wajah:${VERSION}`];
  buildah('build', ...options, ...labels, ...fixed, '--file', DOCKERFILE, join(work, 'context'));
  buildah('push', `localhost/wajah:${VERSION}`, `oci:${join(work, 'layout')}:wajah:${VERSION}`);
  const name = `wajah-${VERSION}-image-${architecture}.tar`;
  archive(join(out, name), join(work, 'layout'), ['.']);
  return name;
}

const LABELS = {
  'org.opencontainers.image.title': 'Wajah',
  'org.opencontainers.image.version': VERSION,
  'org.opencontainers.image.licenses': 'MIT',
};

/** Runs buildah with a storage of its own, which needs no mounts. */
function inStorage(folder) {
  const places = ['--root', folder, '--runroot', `${folder}.run`, '--storage-driver', 'vfs'];
  return (...args) => run('buildah', [...places, ...args.map(String)]).trim();
}

/** Unpacks packages of Debian without running anything of them. @returns the name of the base in the storage */
function makeBase(buildah, work, arch) {
  const tar = join(work, `base-${arch}.tar`);
  const unneeded = ['usr/share/locale', 'usr/share/man', 'usr/share/info', 'var/cache/apt', 'var/lib/apt'];
  const finish = [
    `cd "$1" && rm -rf ${unneeded.join(' ')}`,
    'cp usr/share/base-passwd/passwd.master etc/passwd && cp usr/share/base-passwd/group.master etc/group',
    'mkdir -p tmp && chmod 1777 tmp',
    'find usr/share/ca-certificates -name "*.crt" -print0 | sort -z | xargs -0 cat >etc/ssl/certs/ca-certificates.crt',
  ].join(' && ');
  const options = ['--quiet', '--variant=extract', `--architectures=${arch}`];
  const hooks = ['--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr', `--customize-hook=${finish}`];
  run('mmdebstrap', [...options, `--include=${PACKAGES_OF_BASE}`, ...hooks, 'bookworm', tar]);
  const container = buildah('from', '--platform', `linux/${arch}`, 'scratch');
  buildah('add', container, tar, '/');
  buildah('config', '--arch', arch, container);
  buildah('commit', '--timestamp', EPOCH, '--identity-label=false', '--rm', container, `base-${arch}`);
  return `localhost/base-${arch}`;
}
