import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { analyze } from '../../../packages/engine/dist/analyze.js';
import { decodeImage } from '../../../packages/engine/dist/imaging/decode.js';
import { type Attribute, openEngineInThread } from '../../../packages/engine/dist/index.js';
import { type Role, roles } from '../../../packages/engine/dist/packs/manifest.js';
import { openPack } from '../../../packages/engine/dist/training.js';
import { frontAttributes, turnAttributes } from './speed/attributes.ts';
import { imageLimits, photographs } from './speed/photographs.ts';
import { median } from './speed/quantile.ts';
import { measuring, type RecordedRun, recording } from './speed/recorded-runs.ts';
import { costOf, cpuRatio, type Path, timePaths } from './speed/time-paths.ts';

// What a picture costs, stage by stage, and how near each path is to the runs of its networks alone.
//   npm run bench engine -- [--data ../shared/eval] [--pictures 24] [--rounds 3] [--json FILE]
// Stages: CPU milliseconds on one thread, the fastest of the rounds, medians over the pictures; `/metrics` has the same
// stages as histograms of the time that passes. A path is compared with decoding alone and then its own network runs on
// recorded inputs.

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/eval' },
    pictures: { type: 'string', default: '24' },
    rounds: { type: 'string', default: '3' },
    json: { type: 'string' },
  },
});
const count = Number(values.pictures);
const rounds = Number(values.rounds);
const { models, close } = await openPack();
const chooser = await openEngineInThread({ image: imageLimits });
const { pictures, width, height } = await photographs(chooser, values.data, count, 1024, 768);
await chooser.close();

const workloads: readonly { name: string; attributes: readonly Attribute[] }[] = [
  { name: 'detection', attributes: [] },
  { name: 'template', attributes: ['embedding'] },
  { name: 'a frame of a turn of the head', attributes: turnAttributes },
  { name: 'a frontal frame of a session', attributes: frontAttributes },
];

/** Path of a workload and its bare runs; the least time of each network by picture. */
async function pathsOf({ name, attributes }: (typeof workloads)[number]) {
  const request = { attributes, maxFaces: 1, search: 'fast' } as const;
  const runs: (readonly RecordedRun[])[] = [];
  for (const picture of pictures) {
    const recorded = recording(models);
    await analyze(recorded.models, picture, request, imageLimits);
    runs.push(recorded.runs);
  }
  const networks = pictures.map((): Partial<Record<Role, number>> => ({}));
  const path: Path = {
    name,
    async run(at) {
      const measured = measuring(models);
      const cost = await costOf(() => analyze(measured.models, pictures[at]!, request, imageLimits));
      const least = networks[at]!;
      for (const role of roles) {
        const ms = measured.cpuMs[role];
        if (ms !== undefined) least[role] = Math.min(ms, least[role] ?? ms);
      }
      return cost;
    },
  };
  const bare: Path = {
    name: `${name}, bare`,
    run: (at) =>
      costOf(async () => {
        await decodeImage(pictures[at]!, imageLimits);
        for (const { network, feeds } of runs[at]!) await network.run(feeds);
      }),
  };
  return { path, bare, networks, runs };
}

const all = [];
for (const workload of workloads) all.push(await pathsOf(workload));
const decoding: Path = {
  name: 'decoding',
  run: (at) => costOf(() => decodeImage(pictures[at]!, imageLimits)),
};
const times = await timePaths([decoding, ...all.flatMap(({ path, bare }) => [path, bare])], count, rounds);
await close();

const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`;
const named = (name: string) => times.find((time) => time.name === name)!;
const decode = { stage: 'decode', ms: named('decoding').cpuMs, runs: 0, crops: 0 };
const paths = all.map(({ path: { name }, networks, runs }) => {
  const [own, bare] = [named(name), named(`${name}, bare`)];
  const used = roles.filter((role) => networks.some((one) => role in one));
  const stages = used.map((stage) => {
    const ofStage = runs.map((one) => one.filter(({ role }) => role === stage));
    return {
      stage,
      ms: median(networks.map((one) => one[stage] ?? 0)),
      runs: median(ofStage.map((one) => one.length)),
      crops: median(ofStage.map((one) => one.reduce((sum, { crops }) => sum + crops, 0))),
    };
  });
  const spent = stages.reduce((sum, { ms }) => sum + ms, decode.ms);
  const rest = { stage: 'rest', ms: own.cpuMs - spent, runs: 0, crops: 0 };
  const all = [decode, ...stages, rest];
  return { name, cpuMs: own.cpuMs, bareMs: bare.cpuMs, ratio: cpuRatio(own, bare), stages: all };
});
console.log(`${machine}\n${count} photographs of ${width} × ${height}, one thread\n`);
console.log(
  '| path | CPU ms | its own network runs and decoding | ratio; goal ≤ 1.2 |\n| --- | --- | --- | --- |',
);
for (const { name, cpuMs, bareMs, ratio } of paths)
  console.log(`| ${name} | ${cpuMs.toFixed(1)} | ${bareMs.toFixed(1)} | ${ratio.toFixed(2)} |`);
for (const { name, stages } of paths) {
  console.log(`\n| ${name}: stage | CPU ms | runs | crops |\n| --- | --- | --- | --- |`);
  for (const { stage, ms, runs, crops } of stages)
    console.log(`| ${stage} | ${ms.toFixed(1)} | ${runs || ''} | ${crops || ''} |`);
}
if (values.json) writeFileSync(values.json, `${JSON.stringify({ machine, paths }, null, 2)}\n`);
