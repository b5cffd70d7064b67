#!/usr/bin/env node
// `npm run dev`: the server from the sources. A change of a source compiles it and restarts the server with its
// workers; a change of the console builds its pages, which the running server serves. Ctrl-C ends all of it.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const tsc = 'node_modules/typescript/bin/tsc';
const compiled = ['contract', 'engine', 'server', 'compreface', 'tools'].map(
  (name) => `packages/${name}/dist`,
);
/** The compiler writes many files one after the other: restarts wait until it has been quiet for so long. */
const quietMs = 300;

const running = new Set();
let server;
let ending = false;
let timer;

run(process.execPath, ['scripts/compile.mjs']);
// The server runs without the site of the documents; the program has printed what failed.
spawnSync(process.execPath, ['packages/guide/dist/main.js'], { cwd: root, stdio: 'inherit' });
start('compiler', [tsc, '-b', '--watch', '--preserveWatchOutput']);
start('console', ['packages/console/build.mjs', '--watch']);
startServer();
for (const folder of compiled) watch(`${root}/${folder}`, { recursive: true }, onCompiled);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end);

/** Runs a program to its end; its failure is that of this one. */
function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** Starts a Node program in a process group of its own, which `stop` ends with what it started. */
function start(name, args) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', detached: true });
  running.add(child);
  child.once('exit', (code, signal) => {
    running.delete(child);
    if (!ending && !child.stopping) console.error(`dev: the ${name} ended with ${code ?? signal}`);
  });
  return child;
}

/** Resolves when the program has ended, and with it its locks. */
async function stop(child) {
  if (!running.has(child)) return;
  child.stopping = true;
  const ended = once(child, 'exit');
  process.kill(-child.pid, 'SIGTERM');
  await ended;
}

function startServer() {
  server = start('server', ['packages/server/bin/wajah.js', 'serve']);
}

function onCompiled(_, file) {
  if (!file?.endsWith('.js')) return;
  clearTimeout(timer);
  timer = setTimeout(restart, quietMs);
}

let restarting = Promise.resolve();
function restart() {
  restarting = restarting.then(async () => {
    await stop(server);
    if (ending) return;
    console.error('dev: restarting the server');
    startServer();
  });
}

async function end() {
  if (ending) return;
  ending = true;
  clearTimeout(timer);
  await restarting;
  await Promise.all([...running].map(stop));
  process.exit(0);
}
