import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ARCHITECTURES, EPOCH, root, run, VERSION } from './tools.mjs';

const SOURCE = join(root, 'deploy/debian');

/**
 * Makes the Debian package from the self-contained installation.
 * @param work folder for its content, emptied first
 * @param level of xz, 0…9
 * @returns its file name
 */
export function makeDebian(out, work, tree, arch, level) {
  const architecture = ARCHITECTURES[arch];
  rmSync(work, { recursive: true, force: true });
  place(tree, join(work, 'usr/lib/wajah'));
  place(join(SOURCE, 'wajah'), join(work, 'usr/bin/wajah'));
  for (const name of ['wajah.service', 'wajah-backup.service', 'wajah-backup.timer'])
    place(join(SOURCE, name), join(work, 'usr/lib/systemd/system', name));
  for (const name of ['README.md', 'CHANGELOG.md', 'NOTICE', 'LICENSE', 'wajah.env.example']) {
    const to = name === 'LICENSE' ? 'copyright' : name;
    place(join(tree, name), join(work, 'usr/share/doc/wajah', to));
    rmSync(join(work, 'usr/lib/wajah', name));
  }
  writeControl(work, architecture);
  fixModesAndDates(work);
  const name = `wajah_${VERSION}_${architecture}.deb`;
  run('dpkg-deb', ['--root-owner-group', '-Zxz', `-z${level}`, '--build', work, join(out, name)]);
  return name;
}

function place(from, to) {
  cpSync(from, to, { recursive: true });
}

function writeControl(work, architecture) {
  const control = readFileSync(join(SOURCE, 'control'), 'utf8')
    .replace('@VERSION@', VERSION)
    .replace('@ARCH@', architecture)
    .replace('@SIZE@', kibibytesIn(join(work, 'usr')));
  mkdirSync(join(work, 'DEBIAN'));
  writeFileSync(join(work, 'DEBIAN/control'), control);
  for (const name of ['postinst', 'prerm', 'postrm']) place(join(SOURCE, name), join(work, 'DEBIAN', name));
}

/** Size of the files: that of folders depends on the file system. */
function kibibytesIn(folder) {
  const paths = readdirSync(folder, { recursive: true }).map((path) => statSync(join(folder, path)));
  const bytes = paths.filter((it) => it.isFile()).reduce((sum, { size }) => sum + size, 0);
  return String(Math.ceil(bytes / 1024));
}

/** The rights and dates of the checkout are those of whoever made it. */
function fixModesAndDates(work) {
  const programs =
    /^(DEBIAN\/(postinst|prerm|postrm)|usr\/bin\/wajah|usr\/lib\/wajah\/(bin\/wajah|lib\/node))$/;
  for (const path of ['', ...readdirSync(work, { recursive: true })]) {
    const full = join(work, path);
    chmodSync(full, statSync(full).isDirectory() || programs.test(path) ? 0o755 : 0o644);
    utimesSync(full, EPOCH, EPOCH);
  }
}
