// Wajah beside human and face-api on WebAssembly: from the bytes of a picture to a template, and to everything that a
// frame of a liveness session needs. With the pack plus in data/packs, a template with it too.
//   npm run bench peers -- [--data ../shared/eval] [--pictures 24] [--rounds 2] [--tools .cache/bench-tools] [--json FILE]
// Colour photographs of `dev`, one face each, fitted into 1024 × 768. Each picture goes through all paths in turn, each in
// a process of its own with one thread for its networks; medians over the pictures of the fastest round. Only ratios hold
// on other machines. Peers get the pixels of the engine's decoder. They are installed into a folder of their own at first
// use.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openEngineInThread } from '../../../packages/engine/dist/index.js';
import type { Answer, Kind } from './speed/peer-process.ts';
import { installPeers, peerNames } from './speed/peers.ts';
import { imageLimits, photographs } from './speed/photographs.ts';
import { cpuRatio, type Path, timePaths } from './speed/time-paths.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/eval' },
    pictures: { type: 'string', default: '24' },
    rounds: { type: 'string', default: '2' },
    tools: { type: 'string', default: '.cache/bench-tools' },
    json: { type: 'string' },
  },
});
const modules = installPeers(resolve(values.tools));
const engine = await openEngineInThread({ image: imageLimits });
const count = Number(values.pictures);
const { pictures, width, height } = await photographs(engine, values.data, count, 1024, 768);
const large = (await photographs(engine, values.data, count, 4000, 3000)).pictures;
await engine.close();

/** Pictures without a face, by path. */
const missed: Record<string, number> = {};

async function start(name: string, kind: Kind, of: readonly Uint8Array[]): Promise<Path> {
  const file = join(import.meta.dirname, 'speed/peer-process.js');
  // As the engine's workers: V8's helper threads would count for all of them.
  const execArgv = ['--single-threaded-gc', '--no-incremental-marking'];
  const child = fork(file, [kind, modules], { serialization: 'advanced', execArgv });
  await once(child, 'message');
  return {
    name,
    async run(at) {
      child.send(of[at]!);
      const [answer] = (await once(child, 'message')) as [Answer];
      if (!answer.found) missed[name] = (missed[name] ?? 0) + 1;
      return answer.cpuMs;
    },
  };
}

const template = 'template';
const plus = 'template with the pack plus';
const hasPlus = existsSync('data/packs/plus');
const turn = 'a frame of a turn of the head';
const front = 'a frontal frame of a session';
const photo = 'template, 4000 × 3000';
const human = `${peerNames.human}, everything`;
const humanTemplate = `${peerNames.human}, mesh and description`;
const faceApi = `${peerNames.faceApi}, SSD, landmarks, descriptor`;
const paths = [
  await start('decoding', 'decoding', pictures),
  await start(template, 'template', pictures),
  ...(hasPlus ? [await start(plus, 'plus', pictures)] : []),
  await start(turn, 'turn', pictures),
  await start(front, 'front', pictures),
  await start(photo, 'template', large),
  await start(human, 'human', pictures),
  await start(humanTemplate, 'humanTemplate', pictures),
  await start(faceApi, 'faceApi', pictures),
];
const times = await timePaths(paths, count, Number(values.rounds));

const named = (name: string) => times.find((time) => time.name === name)!;
const ratio = (name: string, of: string, to: string, goal: string) => ({
  name,
  ratio: cpuRatio(named(of), named(to)),
  goal,
});
const ratios = [
  ratio('human, everything ÷ template', human, template, '≥ 8'),
  ratio('human, mesh and description ÷ template', humanTemplate, template, ''),
  ratio('face-api ÷ template', faceApi, template, '≥ 18'),
  ...(hasPlus ? [ratio('template with plus ÷ without', plus, template, '≤ 1.25')] : []),
  ratio('human, everything ÷ a frame of a turn of the head', human, turn, '≥ 4'),
  ratio('template of 4000 × 3000 ÷ of 1024 × 768', photo, template, '≤ 1.5'),
];
const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`;
console.log(`${machine}\n${count} photographs of ${width} × ${height}, one thread; milliseconds, medians\n`);
console.log('| path | CPU | without a face |\n| --- | --- | --- |');
for (const { name, cpuMs } of times) {
  const faceless = missed[name] ? `${missed[name]} runs` : '';
  console.log(`| ${name} | ${cpuMs.toFixed(1)} | ${faceless} |`);
}
console.log('\n| ratio of CPU times | | goal |\n| --- | --- | --- |');
for (const { name, ratio, goal } of ratios) console.log(`| ${name} | ${ratio.toFixed(2)} | ${goal} |`);
if (values.json) {
  mkdirSync(dirname(resolve(values.json)), { recursive: true });
  const report = { machine, width, height, pictures: count, paths: times, ratios, missed };
  writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
}
// Its end ends the others.
process.exit();
