import { measured } from './measured.ts';

/** What a service has to do. */
export interface Demand {
  /** People in all galleries together. */
  readonly people: number;
  /** That a person is enrolled with, in the mean; from 1 on. Searches and their memory do not depend on them. */
  readonly pictures: number;
  /** Calls with a picture, and liveness sessions, of a mean hour. */
  readonly callsPerHour: number;
  /** Share of them that are liveness sessions, 0…1. */
  readonly liveness: number;
  /** Calls of the busiest hour over those of a mean one. */
  readonly peak: number;
}

/** Machines for a demand. */
export interface Sizing {
  readonly store: 'embedded' | 'postgres';
  /** Machines that carry the peak; one more survives the loss of one. */
  readonly servers: number;
  /** Of each server. */
  readonly cores: number;
  readonly workers: number;
  readonly memoryGib: number;
  readonly matchMemoryMb: number;
  /** Of the store: the server's, or that of PostgreSQL. */
  readonly diskGb: number;
  /** Cores that are busy in the peak, of all servers. */
  readonly busyCores: number;
  /** CPU time of a mean call, milliseconds. */
  readonly callMs: number;
}

/** Up to this share of busy workers the median latency is that of a call alone (docs/dev/performance.md). */
const utilisation = 0.6;
/** More cores than this in one server were never tried. */
const mostCores = 16;
/** People above which the check, the copy and the backup of one file take minutes (docs/operations/sizing.md). */
const mostEmbeddedPeople = 2_000_000;
/** Of machines that are sold, and GiB of their memory. */
const coresOfMachines = [2, 4, 8, 16];
const gibOfMachines = [2, 4, 8, 16, 32, 64, 128, 256];
/** Resident memory of a face, MB. */
const mbOfFace = measured.memoryMb.people / 111_000;
const hoursOfYear = 365 * 24;

/** @throws RangeError when a value is negative or not finite */
export function sizeFor(demand: Demand): Sizing {
  const { people, pictures, callsPerHour, liveness, peak } = demand;
  if (
    ![people, pictures - 1, callsPerHour, liveness, peak].every(
      (value) => Number.isFinite(value) && value >= 0,
    )
  ) {
    throw new RangeError('people, calls, shares and factors are numbers from 0 on, pictures from 1 on');
  }
  const callMs = (1 - liveness) * identifyMs(people) + liveness * measured.cpuMs.session;
  const busyCores = ((callsPerHour * peak) / 3600) * (callMs / 1000);
  const workersInAll = Math.max(1, Math.ceil(busyCores / utilisation));
  const servers = Math.ceil(workersInAll / (mostCores - 1));
  const workers = Math.ceil(workersInAll / servers);
  const store = servers > 1 || people > mostEmbeddedPeople ? 'postgres' : 'embedded';
  return {
    store,
    servers,
    // One for the server's process, which reads bodies and searches galleries.
    cores: coresOfMachines.find((cores) => cores > workers) ?? workers + 1,
    workers,
    memoryGib: memoryOf(people, workers),
    matchMemoryMb: Math.max(256, Math.ceil((people * mbOfFace * 1e6) / 2 ** 20 / 64) * 64),
    diskGb: diskOf(demand, store),
    busyCores,
    callMs,
  };
}

/** CPU time of an identification: among up to 100,000 people hardly more than a verification. */
function identifyMs(people: number): number {
  return Math.max(...measured.cpuMs.identify) + (people / 1e6) * measured.cpuMs.identifyMillion;
}

/** GiB, as machines have them. */
function memoryOf(people: number, workers: number): number {
  const { server, worker, bodies, system } = measured.memoryMb;
  const gib = ((server + workers * worker + bodies + system + people * mbOfFace) * 1e6) / 2 ** 30;
  return gibOfMachines.find((size) => size >= gib) ?? Math.ceil(gib);
}

/** Faces, three times for a copy, a backup and the log; the audit trail of a year; and the program. GB. */
function diskOf({ people, pictures, callsPerHour }: Demand, store: Sizing['store']): number {
  const { embeddedFace, postgresFace, picture, auditRecord } = measured.disk;
  const face = (store === 'embedded' ? embeddedFace : postgresFace) + (pictures - 1) * picture;
  const faces = 3 * people * face;
  return Math.ceil((faces + callsPerHour * hoursOfYear * auditRecord) / 1e9) + 1;
}
